"""Colours as eyes see them: contrast (WCAG 2), difference (CIEDE2000), and dichromacies (Machado 2009, severity 1)."""

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

Rgb = tuple[float, float, float]

WHITE = (0.95047, 1.0, 1.08883)
TO_XYZ = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
EYES = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
    "grey": (TO_XYZ[1], TO_XYZ[1], TO_XYZ[1]),
}


def linear(code: str) -> Rgb:
    """Return the linear light of a colour such as #0069b9."""
    parts = [int(code[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    dark, light = sorted(_times(TO_XYZ, linear(code))[1] for code in (one, other))
    return (light + 0.05) / (dark + 0.05)


def difference(one: str, other: str, eye: str = "normal") -> float:
    """Return how different two colours look to an eye, by CIEDE2000."""
    return ciede2000(*(lab(_times(EYES[eye], linear(code))) for code in (one, other)))


def lab(light: Rgb) -> Rgb:
    """Return linear light as CIELAB."""
    clipped = (min(1.0, max(0.0, light[0])), min(1.0, max(0.0, light[1])), min(1.0, max(0.0, light[2])))
    ratios = [value / white for value, white in zip(_times(TO_XYZ, clipped), WHITE, strict=True)]
    x, y, z = (ratio ** (1 / 3) if ratio > 216 / 24389 else (24389 / 27 * ratio + 16) / 116 for ratio in ratios)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(one: Rgb, other: Rgb) -> float:
    """Return the difference of two colours in CIELAB."""
    mean = sum(hypot(a, b) for _, a, b in (one, other)) / 2
    stretch = 1.5 - 0.5 * sqrt(mean**7 / (mean**7 + 25**7))
    (l1, c1, h1), (l2, c2, h2) = (
        (lightness, hypot(stretch * a, b), degrees(atan2(b, stretch * a)) % 360) for lightness, a, b in (one, other)
    )
    turn = 0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    middle = h1 + h2 if c1 * c2 == 0 else (h1 + turn / 2) % 360
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    t = (
        1
        - 0.17 * cos(radians(middle - 30))
        + 0.24 * cos(radians(2 * middle))
        + 0.32 * cos(radians(3 * middle + 6))
        - 0.20 * cos(radians(4 * middle - 63))
    )
    dl = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * sqrt(c1 * c2) * sin(radians(turn) / 2) / (1 + 0.015 * chroma * t)
    bend = 2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * sin(radians(60 * exp(-(((middle - 275) / 25) ** 2))))
    return sqrt(dl**2 + dc**2 + dh**2 - bend * dc * dh)


def _times(matrix: tuple[tuple[float, ...], ...], vector: Rgb) -> Rgb:
    first, second, third = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return first, second, third
