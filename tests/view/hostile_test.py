#!/usr/bin/env python3
"""A hostile client against the real server: malformed and oversized frames, floods, abrupt closes, slow readers, many
connections, wrong Host, Origin and token, paths that leave the page. The server must refuse each, stay up, keep its
memory, and go on simulating for the one well-behaved page that watches all the while.

usage: hostile_test.py PLIANT FOLDER"""

import os
import pathlib
import random
import socket
import struct
import subprocess
import sys
import time

from client import PAUSE, READY, RESET, STEP, VERSION, Page, Server, Watcher, connect, message

SCENE = """
[simulation]
dt = 0.01
duration = 1.0
gravity = [0, 0, -9.81]
[[body]]
name = "beam"
generate = { shape = "box", size = [1, 0.2, 0.1], cells = [8, 2, 1], element = "tet" }
material = { law = "stvk", young = 1e6, poisson = 0.3, density = 1000 }
fixed = ["x < 1e-6"]
model = { type = "modal", linear_modes = 3, modes = 6 }
"""
# sanitizers keep freed memory for a while
ROOM = 1000 if os.environ.get("PLIANT_SANITIZED") else 64
MALFORMED = 100000 if os.environ.get("PLIANT_LONG_TESTS") else 3000
problems = []


def check(fine, what):
    print(("ok    " if fine else "FAILED") + " " + what)
    if not fine:
        problems.append(what)


def receive_all(link):
    data = b""
    try:
        while chunk := link.recv(65536):
            data += chunk
    except OSError:
        pass
    return data


def ask(port, target, host=None, method="GET", extra=""):
    """Status and body of one request."""
    with connect(port) as link:
        host = f"127.0.0.1:{port}" if host is None else host
        link.sendall(f"{method} {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{extra}\r\n".encode())
        answer = receive_all(link)
    head, _, body = answer.partition(b"\r\n\r\n")
    status = int(head.split()[1]) if head.startswith(b"HTTP/1.1 ") else 0
    return status, head, body


def refused(port, **how):
    try:
        page = Page(port, **how)
    except OSError:
        return True
    page.close()
    return page.status != 101


def test_requests(server):
    port = server.port
    status, head, body = ask(port, "/")
    check(status == 200 and b"<canvas" in body, "the page is served")
    check(b"Content-Security-Policy" in head and b"nosniff" in head, "with its security headers")
    for target in ("/../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/index.html/../../x",
                   "/....//etc/passwd", "/\\..\\..\\etc\\passwd", "/page.js%00.html", "file:///etc/passwd", "/nothing"):
        status, _, body = ask(port, target)
        check(status in (400, 404) and b"root:" not in body, f"{target} is refused ({status})")
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", ""):
        check(ask(port, "/", host=host)[0] in (400, 403), f"host {host!r} is refused")
    check(ask(port, "/", host=f"localhost:{port}")[0] == 200, "localhost is allowed")
    check(ask(port, "/", method="POST", extra="Content-Length: 5\r\n")[0] in (400, 405, 413), "POST is refused")
    check(ask(port, "/", extra="X: " + "a" * 20000 + "\r\n")[0] in (0, 400, 431), "a huge header is refused")
    with connect(port) as link:
        link.sendall(bytes(random.Random(1).randrange(256) for _ in range(4000)))
        check(b" 200 " not in receive_all(link), "noise is no request")


def test_origins(server):
    port = server.port
    for origin in ("http://evil.example", f"https://127.0.0.1:{port}", f"http://127.0.0.1:{port + 1}", "null"):
        check(refused(port, origin=origin), f"origin {origin} is refused")
    check(refused(port, target="/other"), "another socket is refused")
    check(refused(port, host=f"evil.example:{port}", origin=f"http://evil.example:{port}"), "a rebound name is refused")
    link = connect(port)  # no Origin at all
    link.sendall(f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
    check(b" 101 " not in link.recv(200), "no origin is refused")
    link.close()


def malformed(random_source):
    """A frame that is no message."""
    choice = random_source.randrange(6)
    if choice == 0:
        return bytes(random_source.randrange(256) for _ in range(random_source.randrange(64)))[:63] + b"\xff"
    if choice == 1:
        return message(STEP)  # too short
    if choice == 2:
        return message(RESET, b"more than that")
    if choice == 3:
        return bytes([RESET, 99, 0, 0])
    if choice == 4:
        return bytes([random_source.randrange(100, 256), VERSION, 0, 0])  # no message has such a number
    return message(3, b"\0" * 40)  # a message of the server's


def test_malformed(server, watcher):
    source = random.Random(7)
    memory = server.memory()
    closed = 0
    for _ in range(MALFORMED):
        page = Page(server.port)
        try:
            page.send(malformed(source))
            if _ % 100 == 0:
                closed += page.closed_by_server()
        except OSError:
            closed += 1
        page.close(abruptly=_ % 3 == 0)
    check(closed >= MALFORMED // 100, f"{MALFORMED} malformed frames: each ends its own connection ({closed} looked at)")
    check(watcher.alive, "and no other")
    for size in (5000, 70000, 1 << 20):
        page = Page(server.port)
        try:
            page.send(b"\0" * size)
        except OSError:
            pass
        check(page.closed_by_server(), f"a message of {size} bytes ends its connection")
        page.close()
    page = Page(server.port)
    page.link.sendall(bytes([0x82, 255]) + struct.pack(">Q", 1 << 62) + b"abcd")
    check(page.closed_by_server(), "a claim of 2^62 bytes ends its connection")
    page.close()
    for what, frame in (("text", dict(payload=b"hello", opcode=1)), ("an unmasked frame", dict(payload=message(RESET), masked=False)),
                        ("an unknown opcode", dict(payload=b"x", opcode=5))):
        page = Page(server.port)
        page.send(**frame)
        check(page.closed_by_server(), f"{what} ends its connection")
        page.close()
    page = Page(server.port)
    try:
        for _ in range(5000):
            page.send(message(READY, b"\0" * 8))
    except OSError:
        pass
    check(page.closed_by_server(), "a flood of messages ends its connection")
    page.close()
    check(server.memory() < memory + ROOM, f"memory stays ({memory:.0f} MB, then {server.memory():.0f} MB)")
    check(watcher.alive, "the watching page is still there")


def test_crowds(server, watcher, pace):
    for i in range(300):  # gone before, in the middle of and after the handshake
        link = connect(server.port)
        if i % 3 > 0:
            link.sendall(b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\n" + (b"\r\n" if i % 3 == 2 else b""))
        link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        link.close()
    check(watcher.alive, "300 abrupt closes hurt nobody")
    memory = server.memory()
    crowd = []
    for _ in range(50):
        try:
            crowd.append(Page(server.port))
        except OSError:
            pass
    admitted = sum(page.status == 101 for page in crowd)
    check(1 <= admitted <= 32, f"of 50 connections {admitted} are admitted")
    slow = watcher.pace(2.0)  # nobody of the crowd reads
    check(slow > 0.5 * pace, f"slow readers do not slow it: {pace:.0f} steps/s alone, {slow:.0f} with them")
    check(server.memory() < memory + ROOM, f"memory stays ({memory:.0f} MB, then {server.memory():.0f} MB)")
    for page in crowd:
        page.close(abruptly=True)
    time.sleep(0.3)
    page = Page(server.port)
    check(page.status == 101, "there is room again when they have gone")
    page.send(message(PAUSE, b"\x01"))
    time.sleep(0.5)
    check(watcher.pace() > 0, "a page that does not steer cannot pause it")
    page.close()


def test_token(program, scene):
    server = Server(program, scene, "--token", "a-long-secret")
    check(server.url.endswith("/?token=a-long-secret"), "the URL has the token")
    for target in ("/ws", "/ws?token=", "/ws?token=wrong", "/ws?token=a-long-secre", "/ws?token=a-long-secretx", "/ws?x=a-long-secret"):
        check(refused(server.port, target=target), f"{target} is refused")
    page = Page(server.port, target="/ws?token=a-long-secret")
    check(page.status == 101, "the right token is let in")
    page.close()
    check(server.stop() == 0, "and Ctrl-C ends it with exit code 0")
    server = Server(program, scene, "--token", "se+cret/42==")
    check(server.url.endswith("/?token=se%2Bcret%2F42%3D%3D"), "the URL has the token as browsers send it")
    for target in ("/ws?token=se%2Bcret%2F42%3D%3D", "/ws?token=se+cret/42=="):
        page = Page(server.port, target=target)
        check(page.status == 101, f"{target} is let in")
        page.close()
    check(refused(server.port, target="/ws?token=se%2Bcret%2F42%3D%3"), "half a sequence is refused")
    server.stop()
    for options in (["--host", "0.0.0.0"], ["--host", "0.0.0.0", "--token", "short"], ["--host", "nonsense"], ["--port", "70000"]):
        outcome = subprocess.run([program, "view", str(scene), "--quiet", "--no-cache", *options], capture_output=True, text=True, timeout=120)
        check(outcome.returncode == 2 and outcome.stderr.startswith("error: "), f"{' '.join(options)} is exit 2")


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    scene = folder / "beam.toml"
    scene.write_text(SCENE, encoding="utf-8")
    server = Server(program, scene)
    try:
        watcher = Watcher(server.port)
        check(watcher.page.status == 101, "a page connects")
        time.sleep(1)
        pace = watcher.pace(2.0)
        check(pace > 1, f"the simulation runs ({pace:.0f} steps/s)")
        test_requests(server)
        test_origins(server)
        test_malformed(server, watcher)
        test_crowds(server, watcher, pace)
        check(server.process.poll() is None, "the server is still up")
        check(server.stop() == 0, "and ends with exit code 0")
    finally:
        if server.process.poll() is None:
            server.process.kill()
    test_token(program, scene)
    print(f"{len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
