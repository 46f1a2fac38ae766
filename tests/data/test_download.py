"""Downloads: resumed, checked, remembered, and honest when there is no network."""

import hashlib
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from unkernel.data.download import DownloadError, fetch, verify

CONTENT = bytes(range(256)) * 1000
SHA = hashlib.sha256(CONTENT).hexdigest()


class Server(BaseHTTPRequestHandler):
    """Serves CONTENT; breaks off after `budget` bytes while that lasts; keeps what ranges were asked for."""

    budget: list[int] = []
    asked: list[str | None] = []
    ranges = True

    def do_GET(self):
        if self.path != "/rows.bz2":
            self.send_error(404)
            return
        asked = self.headers.get("Range")
        self.asked.append(asked)
        start = int(asked[6:-1]) if asked and self.ranges else 0
        body = CONTENT[start:]
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: self.budget.pop()] if self.budget else body)

    def log_message(self, *words):
        pass


@pytest.fixture
def address():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    Server.asked.clear()
    Server.budget.clear()
    Server.ranges = True
    yield f"http://127.0.0.1:{server.server_port}/rows.bz2"
    server.shutdown()
    server.server_close()


def test_a_file_comes_whole_once_and_is_remembered(address, tmp_path):
    seen = []
    path = fetch(address, tmp_path / "a" / "rows.bz2", sha256=SHA, progress=lambda *at: seen.append(at))
    assert path.read_bytes() == CONTENT
    assert seen[-1] == (len(CONTENT), len(CONTENT))
    assert fetch(address, path) == path
    assert len(Server.asked) == 1
    assert sorted(p.name for p in path.parent.iterdir()) == ["rows.bz2", "rows.bz2.sha256"]


@pytest.mark.parametrize("ranges", [True, False])
def test_a_broken_download_goes_on_where_it_stopped(address, tmp_path, ranges):
    Server.budget.append(100_000)
    Server.ranges = ranges
    with pytest.raises(DownloadError, match="100,000 bytes are kept, and the next try goes on"):
        fetch(address, tmp_path / "rows.bz2")
    assert not (tmp_path / "rows.bz2").exists()
    assert fetch(address, tmp_path / "rows.bz2", sha256=SHA).read_bytes() == CONTENT
    assert Server.asked == [None, "bytes=100000-"]


def test_another_checksum_is_refused(address, tmp_path):
    with pytest.raises(DownloadError, match="has checksum"):
        fetch(address, tmp_path / "rows.bz2", sha256="0" * 64)
    assert not list(tmp_path.iterdir())
    path = fetch(address, tmp_path / "rows.bz2")
    path.write_bytes(CONTENT[:-1] + b"x")
    with pytest.raises(DownloadError, match="damaged or changed; delete it"):
        fetch(address, path)
    with pytest.raises(DownloadError, match="does not match"):
        verify(path, SHA)


def test_what_is_not_there_says_where_to_put_it(address, tmp_path):
    with pytest.raises(DownloadError, match=r"cannot be had \(.*Not Found.*put it at .*rows"):
        fetch(address.replace("rows", "no"), tmp_path / "rows")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{free.getsockname()[1]}/rows"
    with pytest.raises(DownloadError, match=r"cannot be had .*Without a network"):
        fetch(closed, tmp_path / "rows")
