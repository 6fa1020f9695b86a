"""Names that somebody might give to do harm: more than 500, the same every time."""

# ruff: noqa: RUF001 (letters that look like others are among them)
from __future__ import annotations

from itertools import product
from random import Random

MARKUP = [
    *(
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>",
        "<b>Bo</b>",
        "</title><script>",
    ),
    *(
        "</style><b>",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?xml",
        "&lt;b&gt;",
        "&#60;b&#62;",
        "&amp;",
        '"',
        "'",
        '">',
        "'>",
    ),
    *(
        '" autofocus onfocus=x ',
        "' style='x",
        "` onclick=x",
        "</li></ol>",
        "<a href=//x>",
        "<iframe>",
        "<base href=//x>",
    ),
    *(
        "<meta http-equiv=refresh",
        "<form action=//x>",
        "<plaintext>",
        "<textarea>",
        "</main>",
        "<details open>",
        "<bdi>",
    ),
    *("</bdi>", "<bdo dir=rtl>", "<style>*{}", "<link href=//x>", "<object data=x>", "<math><mi>", "<svg><use href=#>"),
]
TEMPLATES = [
    *(
        "{{ 7*7 }}",
        "{% raw %}",
        "{{config}}",
        "{%if 1%}",
        "{# x #}",
        "${7*7}",
        "#{7*7}",
        "<%= 7*7 %>",
        "%(name)s",
        "%s%s%s",
    ),
    *(
        "%n%x",
        "{0}",
        "{}",
        "{self}",
        "{{''.__class__}}",
        "{{request}}",
        "%(seat)s",
        "%d",
        "100%",
        "%%",
        "[[x]]",
        "@{x}",
    ),
]
ADDRESSES = [
    *(
        "javascript:alert(1)",
        "data:text/html,x",
        "http://evil.example",
        "//evil.example",
        "file:///etc/passwd",
        "\\\\x\\y",
    ),
    *(
        "../../etc/passwd",
        "/t/K7QX2M",
        "mailto:x@y",
        "tel:123",
        "vbscript:x",
        "evil.example/#",
        "?lang=cs",
        "%2e%2e%2f",
    ),
]
FORMULAS = [
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "=cmd|' /C x'!A0",
    '=HYPERLINK("x")',
    "\t=1+1",
    "\r=1+1",
    "=1;2",
    'DDE("x")',
]
COMMANDS = [
    *(
        "'; DROP TABLE x; --",
        "' OR 1=1 --",
        "$(reboot)",
        "`reboot`",
        "; rm -rf /",
        "| cat",
        "&& ls",
        "\\",
        "\\n",
        "\\x00",
    ),
    *(
        "a\nb",
        "a\r\nSet-Cookie: x",
        "data: x",
        "\n\nevent: gone",
        "id: 9",
        "; filename=x",
        '"; filename="x',
        "a\u2028b",
        "a\u0085b",
    ),
    *(
        "null",
        "undefined",
        "None",
        "NaN",
        "true",
        "0",
        "-1",
        "1e309",
        "[object Object]",
        "__proto__",
        "constructor",
        "toString",
    ),
]
INVISIBLE = [
    *(
        "",
        " ",
        "\t\n",
        "\u200b",
        "\u200c\u200d",
        "\u2060",
        "\ufeff",
        "\u00ad",
        "\u202e",
        "\u2066x",
        "\u061c",
        "\u00a0",
        "\u3000",
    ),
    *(
        "\x00",
        "\x00\x01\x02",
        "\x1b[31m",
        "\x7f",
        "\u0085",
        "\u2028",
        "\u2029",
        "\ue000",
        "\ufff9",
        "\U000e0041",
        "\u180e",
    ),
    *(
        "\u115f",
        "\u1160",
        "\u3164",
        "\uffa0",
        "\u2800",
        "\u034f",
        "\u17b4",
        "\ufe0f",
        "\U000e0100",
        "\u0301",
        "\u20dd",
        "\ufffe",
    ),
]
DIRECTIONS = ["\u202e", "\u202d", "\u2067", "\u2068", "\u2066", "\u200f", "\u200e", "\u061c"]
SPLITS = ["\u200b", "\u200d", "\u00ad", "\ufeff", "\x00", "\u2060", "\ufe0f", "\u180e"]
LETTERS = [
    *(
        "Ёлка",
        "מרים",
        "عائشة",
        "李雷",
        "さくら",
        "한글",
        "ไทย",
        "नमस्ते",
        "ᚠᚢᚦ",
        "𝔄𝔫𝔫",
        "Ａｎｎ",
        "ﬀ",
        "ß",
        "İ",
        "ı",
        "ſ",
        "Ω",
        "Å",
    ),
    *(
        "👩‍👩‍👧‍👦",
        "🏳️‍🌈",
        "🇨🇿",
        "👍🏽",
        "1️⃣",
        "☠",
        "♥",
        "⚫",
        "✅",
        "🃏",
        "①",
        "Ⅷ",
        "½",
        "€",
        "¿",
        "…",
        "—",
        "−5",
        "+5",
        "Ǆ",
        "ﷺ",
        "𒐫",
        "꧅",
    ),
]


def hostile_names() -> list[str]:
    """List them, each once."""
    dice = Random(17)
    names = [*MARKUP, *TEMPLATES, *ADDRESSES, *FORMULAS, *COMMANDS, *INVISIBLE, *LETTERS]
    names += [f"A{mark}nn" for mark in (*DIRECTIONS, *SPLITS)]
    names += [f"{mark}<b>{split}x" for mark, split in product(DIRECTIONS, SPLITS)]
    names += ["Z" + "".join(chr(dice.randrange(0x300, 0x36F)) for _ in range(size)) for size in (1, 3, 4, 20, 100, 400)]
    names += ["".join(f"a{chr(dice.randrange(0x300, 0x36F)) * 6}" for _ in range(size)) for size in (5, 24, 25)]
    names += ["x" * size for size in (23, 24, 25, 60, 480, 481, 10_000)] + [
        "W" * 24,
        "﷽" * 24,
        "🃏" * 24,
        "ä" * 25,
        "a\u0308" * 24,
    ]
    names += ["<" * 24, "&" * 24, '"' * 24, "'" * 24, "%" * 24, "{" * 24, "\u202e" * 3_500, "<script>" * 1250]
    names += [
        f"{start}{text}"[:24]
        for start, text in product(("Ann ", '"', "'>"), (*MARKUP[:20], *TEMPLATES[:10], *ADDRESSES[:8]))
    ]
    pools = ["<>&\"'/=`;:%{}#$\\|", "\u200b\u200d\u202e\u2066\x00\x1f\u0301\u0489", "aé中🃏אﷺ", "=+-@\t\r\n,;"]
    names += ["".join(dice.choice(dice.choice(pools)) for _ in range(dice.randrange(1, 40))) for _ in range(180)]
    return list(dict.fromkeys(names))
