"""The program as a server, and a WebSocket client of our own that can also misbehave."""

import base64
import os
import pathlib
import re
import socket
import struct
import subprocess
import sys
import threading
import time

VERSION = 1
READY, PAUSE, STEP, RESET = 32, 34, 35, 36  # what a page says
STATE = 3  # what it is told


class Server:
    """The program, on a port of its own choice."""

    def __init__(self, program, scene, *options):
        self.process = subprocess.Popen([program, "view", str(scene), "--quiet", "--no-cache", *options],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/(\?token=.*)?", self.url)
        if not match:
            self.process.kill()
            sys.exit(f"no URL on the first line: {self.url!r} {self.process.stderr.read()}")
        self.port = int(match[1])

    def memory(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024

    def stop(self):
        self.process.send_signal(2)
        return self.process.wait(timeout=20)


def connect(port):
    link = socket.create_connection(("127.0.0.1", port), timeout=10)
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return link


class Page:
    """A WebSocket client of our own, so that it can misbehave."""

    def __init__(self, port, origin=None, target="/ws", host=None):
        self.link = connect(port)
        host = f"127.0.0.1:{port}" if host is None else host
        origin = f"http://{host}" if origin is None else origin
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {target} HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade",
                 f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"]
        if origin:
            lines.append(f"Origin: {origin}")
        self.link.sendall("\r\n".join([*lines, "", ""]).encode())
        head = b""
        while b"\r\n\r\n" not in head:
            chunk = self.link.recv(1)
            if not chunk:
                break
            head += chunk
        self.status = int(head.split()[1]) if head.startswith(b"HTTP/1.1 ") else 0

    def send(self, payload, opcode=2, fin=True, masked=True):
        size = len(payload)
        frame = bytes([(128 if fin else 0) | opcode])
        mask_bit = 128 if masked else 0
        if size < 126:
            frame += bytes([mask_bit | size])
        elif size < 65536:
            frame += bytes([mask_bit | 126]) + struct.pack(">H", size)
        else:
            frame += bytes([mask_bit | 127]) + struct.pack(">Q", size)
        if masked:
            mask = os.urandom(4)
            payload = bytes(b ^ mask[i % 4] for i, b in enumerate(payload)) if size < 5000 else payload
            mask = mask if size < 5000 else b"\0\0\0\0"
            frame += mask
        self.link.sendall(frame + payload)

    def read_exactly(self, count):
        data = b""
        while len(data) < count:
            chunk = self.link.recv(count - len(data))
            if not chunk:
                raise ConnectionError("closed")
            data += chunk
        return data

    def read(self):
        """Opcode and payload of the next frame."""
        first, second = self.read_exactly(2)
        size = second & 127
        if size == 126:
            size = struct.unpack(">H", self.read_exactly(2))[0]
        elif size == 127:
            size = struct.unpack(">Q", self.read_exactly(8))[0]
        return first & 15, self.read_exactly(size)

    def closed_by_server(self):
        """Reads until the end; true when it comes."""
        self.link.settimeout(10)
        try:
            while True:
                opcode, _ = self.read()
                if opcode == 8:
                    return True
        except (ConnectionError, socket.timeout, OSError) as error:
            return not isinstance(error, socket.timeout)

    def close(self, abruptly=False):
        if abruptly:
            self.link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.link.close()


def message(kind, body=b""):
    return bytes([kind, VERSION, 0, 0]) + body


class Watcher(threading.Thread):
    """The page that behaves: answers every state, and notes how far the simulation has come."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.page = Page(port)
        self.page.link.settimeout(20)
        self.steps, self.states, self.bytes, self.alive = 0, 0, 0, True
        self.start()

    def run(self):
        state = False
        try:
            while True:
                opcode, payload = self.page.read()
                if opcode == 0:  # the rest of a long message
                    self.bytes += len(payload) if state else 0
                    continue
                state = opcode == 2 and payload[0] == STATE
                if opcode == 9:
                    self.page.send(payload, opcode=10)
                if state:
                    step, epoch = struct.unpack_from("<II", payload, 4)
                    self.steps, self.states, self.bytes = step, self.states + 1, self.bytes + len(payload)
                    self.page.send(message(READY, struct.pack("<II", epoch, step)))
        except (ConnectionError, OSError):
            self.alive = False

    def pace(self, seconds=1.0):
        """Steps a second just now."""
        before, start = self.steps, time.monotonic()
        time.sleep(seconds)
        return (self.steps - before) / (time.monotonic() - start)
