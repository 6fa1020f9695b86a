BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0012');
CREATE TABLE declined (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	table_id INTEGER NOT NULL, 
	"key" VARCHAR(64) NOT NULL, 
	UNIQUE (table_id, "key"), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE TABLE entries (
	table_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	kind VARCHAR(12) NOT NULL, 
	seat INTEGER, 
	"by" INTEGER, 
	data JSON NOT NULL, 
	"key" VARCHAR(64) NOT NULL, 
	at VARCHAR(24) NOT NULL, standing TEXT, 
	PRIMARY KEY (table_id, number), 
	UNIQUE (table_id, "key"), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
INSERT INTO "entries" VALUES(1,1,'seat',1,1,'{"act": "sit"}','sit.1','2026-11-28T16:30:20.379Z',NULL);
INSERT INTO "entries" VALUES(1,2,'move',0,NULL,'{"move": "bid", "seat": 0, "tricks": 0}','k0','2026-11-28T16:30:20.406Z','1:0 1:0 1:0 1:0');
INSERT INTO "entries" VALUES(1,3,'move',1,1,'{"move": "bid", "seat": 1, "tricks": 0}','k1','2026-11-28T16:30:20.414Z',NULL);
INSERT INTO "entries" VALUES(1,4,'move',2,NULL,'{"move": "bid", "seat": 2, "tricks": 0}','k2','2026-11-28T16:30:20.423Z',NULL);
INSERT INTO "entries" VALUES(1,5,'move',3,NULL,'{"move": "bid", "seat": 3, "tricks": 0}','k3','2026-11-28T16:30:20.430Z',NULL);
INSERT INTO "entries" VALUES(1,6,'move',NULL,NULL,'{"move": "tally", "tricks": [10, 0, 0, 0], "plus": [0, 0, 0, 0], "minus": [0, 0, 0, 0]}','k4','2026-11-28T16:30:20.441Z','4:5 1:10 1:10 1:10');
INSERT INTO "entries" VALUES(1,7,'take_back',NULL,NULL,'{}','back','2026-11-28T16:30:20.443Z','1:0 1:0 1:0 1:0');
INSERT INTO "entries" VALUES(1,8,'put_back',NULL,NULL,'{}','again','2026-11-28T16:30:20.449Z','4:5 1:10 1:10 1:10');
CREATE TABLE groups (
	id INTEGER NOT NULL, 
	"key" VARCHAR(20) NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	made VARCHAR(24) NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE ("key")
);
CREATE TABLE makings (
	"key" VARCHAR(64) NOT NULL, 
	asked VARCHAR(64) NOT NULL, 
	table_id INTEGER, 
	group_id INTEGER, 
	PRIMARY KEY ("key"), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE, 
	FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE
);
CREATE TABLE members (
	group_id INTEGER NOT NULL, 
	phone VARCHAR(64) NOT NULL, 
	PRIMARY KEY (group_id, phone), 
	FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE
);
CREATE TABLE "seatings" (
	table_id INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	phone VARCHAR(64), 
	rank INTEGER, 
	score BIGINT, 
	figures JSON, 
	has_left BOOLEAN DEFAULT 0 NOT NULL, 
	hand INTEGER, 
	PRIMARY KEY (table_id, seat), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
INSERT INTO "seatings" VALUES(1,0,'Anna',NULL,NULL,NULL,NULL,0,NULL);
INSERT INTO "seatings" VALUES(1,1,'Bohdan','efbc0207899aa7bf8a0c8d32bdad37536d94ffa474a76d90c6402f35f927294a',NULL,NULL,NULL,0,NULL);
INSERT INTO "seatings" VALUES(1,2,'Katka',NULL,NULL,NULL,NULL,0,NULL);
INSERT INTO "seatings" VALUES(1,3,'Dalibor',NULL,NULL,NULL,NULL,0,NULL);
CREATE TABLE "tables" (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	code VARCHAR(6) NOT NULL, 
	game VARCHAR(40) NOT NULL, 
	options JSON NOT NULL, 
	host VARCHAR(64) NOT NULL, 
	is_locked BOOLEAN NOT NULL, 
	opened VARCHAR(24) NOT NULL, 
	closed VARCHAR(24), 
	result JSON, 
	location VARCHAR(200) DEFAULT '' NOT NULL, 
	title VARCHAR(200) DEFAULT '' NOT NULL, 
	group_id INTEGER, rules INTEGER DEFAULT '1' NOT NULL, former_host VARCHAR(64), halt VARCHAR(12) DEFAULT '' NOT NULL, invitation VARCHAR(13) DEFAULT '' NOT NULL, is_taught BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT fk_tables_group_id FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE SET NULL, 
	UNIQUE (code)
);
INSERT INTO "tables" VALUES(1,'K7QX2M','rage','{}','cc5bf254609fe469db785ef48149b29752c573ecd13b97abbeb9e14daf8bcacc',0,'2026-11-28T16:30:20.350Z',NULL,NULL,'','',NULL,2,NULL,'','VYTRPEQY35YE7',0);
CREATE TABLE tellings (
	table_id INTEGER NOT NULL, 
	receiver VARCHAR(64) NOT NULL, 
	ended VARCHAR(24) NOT NULL, 
	seen VARCHAR(24) NOT NULL, 
	tries INTEGER NOT NULL, 
	due VARCHAR(24), 
	PRIMARY KEY (table_id, receiver, ended), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE INDEX ix_members_phone ON members (phone);
CREATE INDEX ix_tables_group_id ON tables (group_id);
CREATE INDEX ix_makings_group_id ON makings (group_id);
CREATE INDEX ix_makings_table_id ON makings (table_id);
CREATE INDEX ix_tables_host_opened ON tables (host, opened, id);
CREATE INDEX ix_tables_closed ON tables (closed);
CREATE INDEX ix_tellings_due ON tellings (due);
CREATE INDEX ix_seatings_name ON seatings (name);
CREATE INDEX ix_seatings_phone_table_id ON seatings (phone, table_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('tables',1);
COMMIT;
