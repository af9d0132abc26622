"""`pliant render` with the real program and a real browser: what is on the pictures, and what is refused.

usage: render_test.py PLIANT FOLDER     exit 77: skipped, because there is no browser"""

import pathlib
import shutil
import struct
import subprocess
import sys
import zlib

program = sys.argv[1]
folder = pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
problems = []

SCENE = """
[simulation]
dt = 0.01
duration = 0.3
gravity = [0, 0, -9.81]
damping = { mass = 1.0, stiffness = 0.004 }
[[body]]
name = "beam"
generate = { shape = "box", size = [1, 0.2, 0.12], cells = [8, 2, 2], element = "tet" }
material = { law = "stvk", young = 4e5, poisson = 0.3, density = 1000 }
fixed = ["x < 1e-6"]
model = { type = "modal", linear_modes = 2, modes = 3 }
"""


def check(fine, what):
    print(f"{'ok    ' if fine else 'FAILED'} {what}", flush=True)
    if not fine:
        problems.append(what)


def render(name, *options, expect=0):
    out = folder / name
    out.unlink(missing_ok=True)
    done = subprocess.run([program, "render", str(folder / "beam.toml"), "-o", str(out), "--quiet", "--no-cache", *options],
                          capture_output=True, text=True, timeout=400)
    if done.returncode != expect:
        check(False, f"{name} {' '.join(options)}: exit {done.returncode}, {done.stderr.strip()}")
    return out, done.stderr


def pixels(path):
    """Width, height and rows of RGB bytes of a PNG as browsers write them: 8 bits, not interlaced."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert depth == 8 and colour in (2, 6)
        if kind == b"IDAT":
            packed += body
        at += 12 + length
    step = 3 if colour == 2 else 4
    raw, rows, above = zlib.decompress(packed), [], bytearray(step * width)
    for y in range(height):
        start = y * (step * width + 1)
        filter_kind, row = raw[start], bytearray(raw[start + 1:start + 1 + step * width])
        for i in range(len(row)):
            left = row[i - step] if i >= step else 0
            up, corner = above[i], above[i - step] if i >= step else 0
            if filter_kind == 1:
                row[i] = (row[i] + left) & 255
            elif filter_kind == 2:
                row[i] = (row[i] + up) & 255
            elif filter_kind == 3:
                row[i] = (row[i] + (left + up) // 2) & 255
            elif filter_kind == 4:
                guess = left + up - corner
                near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))
                row[i] = (row[i] + near[2]) & 255
        rows.append(row if step == 3 else bytearray(b for i, b in enumerate(row) if i % 4 != 3))
        above = row
    return width, height, rows


def share(picture, belongs):
    width, height, rows = picture
    count = sum(1 for row in rows for i in range(0, 3 * width, 3) if belongs(*row[i:i + 3]))
    return count / (width * height)


def difference(a, b):
    """Share of the pixels that differ visibly."""
    count = sum(1 for x, y in zip(a[2], b[2]) for i in range(0, 3 * a[0], 3) if max(abs(x[i + c] - y[i + c]) for c in range(3)) > 12)
    return count / (a[0] * a[1])


def orange(r, g, b):
    return r > g + 25 and g > b + 10


def blue(r, g, b):
    return b > r + 25


def test_refusals():
    for name, options, key in (("beam.gif", [], "-o"), ("beam.png", ["--size", "big"], "--size"), ("beam.png", ["--time", "-1"], "--time"),
                               ("beam.webm", ["--size", "321x200"], "--size"), ("beam.png", ["--ghost", "fool"], "--ghost"),
                               ("beam.png", ["--browser", "/no/such/browser"], "/no/such/browser")):
        out, errors = render(name, *options, expect=2)
        check(not out.exists() and errors.startswith("error: ") and key in errors, f"{name} {' '.join(options)} is refused, nothing is written")


def main():
    (folder / "beam.toml").write_text(SCENE)
    test_refusals()
    if not any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")):
        _, errors = render("beam.png", expect=2)
        check("Chromium" in errors and "install" in errors, "a missing browser is named with what to do")
        print("SKIPPED: pictures are NOT tested: there is no chromium")
        sys.exit(1 if problems else 77)

    size = ["--size", "240x150"]
    bent = pixels(render("bent.png", *size)[0])
    check(bent[:2] == (240, 150), "the picture has the size that was asked for")
    body = share(bent, orange)
    check(0.03 < body < 0.6, f"the body is on it ({100 * body:.1f} % of the picture)")
    edge = [row[i:i + 3] for y, row in enumerate(bent[2]) for i in range(0, 720, 3) if y in (0, 149) or i in (0, 717)]
    check(not any(orange(*p) for p in edge), "the whole of it")
    again = pixels(render("again.png", *size)[0])
    check(difference(bent, again) == 0.0, "the same scene and time give the same picture")
    for look in ("displacement", "stress"):
        coloured = pixels(render(f"{look}.png", *size, "--look", look)[0])
        check(difference(bent, coloured) > 0.02 and share(coloured, blue) > 0.005, f"{look} changes colours")
    ghost = pixels(render("ghost.png", *size, "--ghost", "full")[0])
    check(share(bent, blue) < 0.001 and share(ghost, blue) > 0.003 and share(ghost, orange) > 0.02, f"a ghost is seen with the body ({100 * share(ghost, blue):.1f} % of the picture)")
    run = subprocess.run([program, "run", str(folder / "beam.toml"), "--model", "full", "--out", str(folder / "run"), "--quiet", "--no-cache"], capture_output=True, text=True)
    check(run.returncode == 0, f"a run is recorded {run.stderr.strip()}")
    recorded = pixels(render("recorded.png", *size, "--ghost", str(folder / "run"))[0])
    check(difference(ghost, recorded) < 0.002, "a recorded ghost is where the live one is")
    film = render("film.webm", *size, "--time", "0.07")[0].read_bytes()
    check(film[:4] == b"\x1a\x45\xdf\xa3" and b"webm" in film[:128] and b"\x1f\x43\xb6\x75" in film and film.count(b"\xa3") >= 3, f"a film is a WebM file ({len(film)} bytes)")
    moving = render("moving.webp", *size, "--time", "0.07", "--fps", "50")[0].read_bytes()
    length = struct.unpack("<I", moving[4:8])[0]
    chunks, at = [], 12
    while at + 8 <= len(moving):
        chunks.append(moving[at:at + 4])
        count = struct.unpack("<I", moving[at + 4:at + 8])[0]
        at += 8 + count + count % 2
    check(moving[:4] == b"RIFF" and moving[8:12] == b"WEBP" and length + 8 == len(moving) and at == len(moving), "a moving picture is a WebP file")
    check(chunks == [b"VP8X", b"ANIM"] + 4 * [b"ANMF"], f"of four frames, those of 0, 0.02, 0.04 and 0.06 s ({chunks})")
    still = render("still.jpg", *size)[0].read_bytes()
    check(still[:2] == b"\xff\xd8" and still[-2:] == b"\xff\xd9", "and a .jpg is a JPEG file")


main()
print(f"{len(problems)} problems")
sys.exit(1 if problems else 0)
