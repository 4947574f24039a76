"""The page's server over HTTP: its interface, its limits, clients that behave badly.

Run by ctest, a class at a time; by hand: AWALE=build/release/awale python3 tests/e2e/serve_test.py
"""

import concurrent.futures
import http.client
import json
import os
import signal
import socket
import subprocess
import unittest

# tearDownModule is for unittest, which looks for it here.
from cli_test import AWALE, CommandTest, small_run, tearDownModule

JSON = {"Content-Type": "application/json"}


class ServeTest(CommandTest):
    """A server a class."""

    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.server = subprocess.Popen(
            [AWALE, "serve", "--port", "0", "--threads", "2", *map(str, cls.arguments)], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        address = cls.server.stdout.readline()
        cls.port = int(address.split(":")[2].split("/")[0])

    @classmethod
    def tearDownClass(cls):
        cls.server.send_signal(signal.SIGINT)
        cls.end = (cls.server.wait(timeout=60), cls.server.stderr.read())
        cls.server.stdout.close()
        cls.server.stderr.close()
        assert cls.end == (0, ""), cls.end

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def ask(self, method, path, body=None, headers=JSON):
        """(status, answer) of a request, the answer as JSON."""
        connection = self.connect()
        connection.request(
            method, path, body if body is None or isinstance(body, (bytes, str)) else json.dumps(body), headers)
        response = connection.getresponse()
        text = response.read()
        connection.close()
        return response.status, json.loads(text)

    def post(self, path, body):
        status, answer = self.ask("POST", path, body)
        self.assertEqual(status, 200, answer)
        return answer

    def assert_refused_with(self, status, problem, method, path, body=None, headers=JSON):
        found, answer = self.ask(method, path, body, headers)
        self.assertEqual((found, list(answer)), (status, ["error"]), answer)
        self.assertIn(problem, answer["error"])
        self.assertNotIn("\n", answer["error"])


class Interface(ServeTest):
    def test_the_page_loads_nothing_from_elsewhere(self):
        connection = self.connect()
        connection.request("GET", "/")
        response = connection.getresponse()
        page = response.read().decode()
        connection.close()
        self.assertEqual(response.status, 200)
        self.assertIn("default-src 'none'", response.getheader("Content-Security-Policy"))
        self.assertIn("<title>", page)

    def test_a_game_against_itself_is_a_game_by_the_rules(self):
        moves, over = "", None
        while over is None:
            answer = self.post("/api/move", {"moves": moves, "simulations": 4})
            moves, over = moves + answer["ply"]["move"], answer["over"]
        self.assertEqual(sum(over["final"].values()), 48)
        game = self.post("/api/game", {"moves": moves})
        self.assertEqual(game["over"], over)
        self.assert_refused_with(409, "over", "POST", "/api/move", {"moves": moves})
        saved = self.post("/api/save", {"moves": moves})
        loaded = self.post("/api/load", {"text": saved["ogn"], "format": "ogn"})
        self.assertEqual(loaded["games"][0]["game"], game)

    def test_a_move_is_what_analyze_finds(self):
        answer = self.post("/api/move", {"simulations": 50})["analysis"]
        alone = json.loads(self.output("analyze", "start", "--json", "--simulations", 50))
        del answer["network"]["margin_distribution"]
        self.assertEqual(answer, alone)

    def test_an_analysis_comes_line_by_line(self):
        connection = self.connect()
        connection.request("POST", "/api/analyze", json.dumps({"simulations": 100}), JSON)
        lines = connection.getresponse().read().decode().splitlines()
        connection.close()
        self.assertEqual([json.loads(line)["simulations"] for line in lines], [2, 4, 8, 16, 32, 64, 100])
        self.assertEqual(len(json.loads(lines[-1])["network"]["margin_distribution"]), 97)

    def test_bad_requests_get_a_line(self):
        refused = self.assert_refused_with
        refused(404, "no such page", "GET", "/nothing")
        refused(404, "no such page", "GET", "/../../etc/passwd")
        refused(404, "no such page", "GET", "/api/%2e%2e/%2e%2e/etc/passwd")
        refused(405, "POST", "GET", "/api/move")
        refused(405, "GET", "POST", "/api/info", {})
        refused(415, "application/json", "POST", "/api/game", "{}", {"Content-Type": "text/plain"})
        refused(400, "JSON object", "POST", "/api/game", "{")
        refused(400, "JSON object", "POST", "/api/game", b"\xff\xfe")
        refused(400, "JSON object", "POST", "/api/game", "[" * 100000)
        refused(400, "simulations", "POST", "/api/move", {"simulations": 10**9})
        refused(422, "ply 2", "POST", "/api/game", {"moves": "FF"})
        refused(411, "Content-Length", "POST", "/api/game", "", {"Transfer-Encoding": "chunked", **JSON})
        refused(413, "1 MiB", "POST", "/api/load", json.dumps({"text": "A" * 2000000}))

    def test_only_names_of_this_machine_are_answered(self):
        for name in ("127.0.0.1", "localhost:8080", "LocalHost", "[::1]:8080", "127.1.2.3:1"):
            self.assertEqual(self.ask("GET", "/api/info", None, {"Host": name})[0], 200, name)
        for name in ("awale.example", "127.0.0.1.example:8080", "127.example", "[::2]", "localhost.example"):
            self.assert_refused_with(403, "Host", "GET", "/api/info", None, {"Host": name})
            self.assert_refused_with(403, "Host", "POST", "/api/move", {}, {"Host": name, **JSON})

    def test_a_length_that_is_not_one_number_is_refused(self):
        for length in (b"2\r\nContent-Length: 20", b"2, 20", b"2abc", b"+2", b"0x2"):
            with socket.create_connection(("127.0.0.1", self.port), timeout=60) as client:
                client.sendall(b"POST /api/game HTTP/1.1\r\nContent-Type: application/json\r\n"
                               b"Content-Length: " + length + b"\r\n\r\n{}")
                self.assertIn(b" 400 ", client.recv(4096), length)

    def test_a_text_whose_games_would_fill_the_memory_is_refused(self):
        # Two seeds follow each other around the board.
        text = ("1-0-0-0-0-0-1-0-0-0-0-0-23-23-S moves " + "AaBbCcDdEeFf" * 25 + "\n") * 150
        rules = {"repetition_occurrence": "0", "target_seeds": "0"}
        self.assert_refused_with(400, "40000 moves", "POST", "/api/load",
                                 {"text": text, "format": "moves", "rules": rules})

    def test_tags_are_such_as_can_be_read_again(self):
        saved = self.post("/api/save", {"moves": "Ff", "tags": {"Event": 'a "b"', "Room_2": "x"}})
        loaded = self.post("/api/load", {"text": saved["ogn"]})
        self.assertEqual(loaded["games"][0]["tags"]["Room_2"], "x")
        for name, value in (("Variant", "awari"), ("FEN", "x"), ("Bad Name", "x"), ("", "x"), ("Event", "a\nb")):
            self.assert_refused_with(400, "tags: ", "POST", "/api/save", {"tags": {name: value}})

    def test_a_long_mistake_is_not_repeated_whole(self):
        status, answer = self.ask("POST", "/api/game", {"rules": "x" * 500000})
        self.assertEqual(status, 400)
        self.assertLess(len(answer["error"]), 2000)

    def test_raw_nonsense_is_answered_or_dropped(self):
        for text in (b"\0\0\0\0\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\r\n" * 50,
                     b"POST /api/game HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                     b"POST /api/game HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
                     b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", self.port), timeout=60) as client:
                client.sendall(text)
                client.shutdown(socket.SHUT_WR)
                try:
                    while client.recv(4096):
                        pass
                except ConnectionResetError:
                    pass
        self.assertEqual(self.ask("GET", "/api/info")[0], 200)


class BadClients(ServeTest):
    def test_slow_clients_hold_up_nobody(self):
        slow = [socket.create_connection(("127.0.0.1", self.port)) for _ in range(100)]
        for client in slow:
            client.sendall(b"POST /api/move HTTP/1.1\r\nContent-Type: application/json\r\nContent-Le")
        self.assertEqual(self.post("/api/move", {"simulations": 8})["ply"]["hole"] < 6, True)
        for client in slow:
            client.close()

    def test_who_leaves_in_mid_analysis_is_forgotten(self):
        for _ in range(20):
            client = socket.create_connection(("127.0.0.1", self.port))
            body = json.dumps({"simulations": 10000}).encode()
            client.sendall(b"POST /api/analyze HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                           % len(body) + body)
            self.assertTrue(client.recv(100).startswith(b"HTTP/1.1 200"))
            client.close()
        self.post("/api/move", {"simulations": 8})


class Ranges(ServeTest):
    def test_answers_are_whole_whatever_part_is_asked_for(self):
        whole = self.ask("GET", "/api/info")
        for part in ("bytes=0-10", "bytes=9999999-", "bytes=" + ",".join(["0-"] * 100)):
            self.assertEqual(self.ask("GET", "/api/info", headers={"Range": part}), whole)
            connection = self.connect()
            connection.request("GET", "/", headers={"Range": part})
            response = connection.getresponse()
            self.assertEqual(response.status, 200)
            self.assertTrue(response.read().rstrip().endswith(b"</html>"))
            connection.close()

    def test_nothing_is_compressed_while_somebody_waits(self):
        connection = self.connect()
        connection.request("GET", "/api/info", headers={"Accept-Encoding": "gzip, br"})
        self.assertIsNone(connection.getresponse().getheader("Content-Encoding"))
        connection.close()


class Stop(CommandTest):
    """A server that is stopped while it searches."""

    def setUp(self):
        self.server = subprocess.Popen([AWALE, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.server.stdout.close)
        self.port = int(self.server.stdout.readline().split(":")[2].split("/")[0])

    def ask(self, path):
        """The response, whose head has come."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("POST", path, json.dumps({"simulations": 10000}), JSON)
        return connection.getresponse()

    def stop(self):
        self.server.send_signal(signal.SIGINT)

    def test_who_waits_for_a_move_is_told_so(self):
        with concurrent.futures.ThreadPoolExecutor(20) as pool:
            asked = [pool.submit(self.ask, "/api/move") for _ in range(20)]
            next(concurrent.futures.as_completed(asked))  # so that others are searched or wait
            self.stop()
            answers = [(one.result().status, json.loads(one.result().read())) for one in asked]
        self.assertEqual(self.server.wait(timeout=60), 0)
        for status, answer in answers:
            self.assertIn(status, (200, 503))
            self.assertIn("ply" if status == 200 else "error", answer)

    def test_analyses_end_where_they_are(self):
        asked = [self.ask("/api/analyze") for _ in range(6)]
        self.stop()
        for one in asked:
            try:
                one.read()
            except (http.client.IncompleteRead, ConnectionResetError):
                pass
        self.assertEqual(self.server.wait(timeout=60), 0)


class ManyGames(ServeTest):
    def test_many_games_at_once_are_the_games_one_by_one(self):
        openings = ["ABCDEF"[n % 6] + "abcdef"[n // 6 % 6] for n in range(36)]

        def play(moves):
            for _ in range(6):
                moves += self.post("/api/move", {"moves": moves, "simulations": 16})["ply"]["move"]
            return moves

        alone = [play(moves) for moves in openings[:6]]
        with concurrent.futures.ThreadPoolExecutor(36) as pool:
            together = list(pool.map(play, openings))
        self.assertEqual(together[:6], alone)
        self.assertEqual([len(moves) for moves in together], [8] * 36)


class OwnNetwork(ServeTest):
    @classmethod
    def setUpClass(cls):
        cls.arguments = ("--checkpoint", small_run())
        super().setUpClass()

    def test_rules_that_the_network_does_not_know_are_refused(self):
        _, info = self.ask("GET", "/api/info")
        self.assertEqual([preset["name"] for preset in info["presets"]], ["abapa"])
        self.assert_refused_with(422, "awari", "POST", "/api/move", {"rules": "awari"})
        self.post("/api/game", {"rules": "awari"})


class Start(ServeTest):
    def test_a_port_that_is_taken_and_an_address_that_is_not_here(self):
        self.assert_refused(2, "serve", "--port", self.port, says="--port 0")
        self.assert_refused(2, "serve", "--host", "192.0.2.1", says="192.0.2.1")
        self.assert_refused(2, "serve", "--port", 99999, says="0..65535")
        self.assert_refused(2, "serve", "--threads", 0, says="1..1024")
        self.assert_refused(4, "serve", "--checkpoint", "nowhere", says="nowhere")

    def test_who_lets_others_in_is_told_so(self):
        server = subprocess.Popen([AWALE, "serve", "--port", "0", "--host", "0.0.0.0"], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
        address = server.stdout.readline()
        self.assertIn("http://0.0.0.0:", address)
        connection = http.client.HTTPConnection("127.0.0.1", int(address.split(":")[2].split("/")[0]), timeout=60)
        connection.request("GET", "/api/info", headers={"Host": "awale.example"})
        self.assertEqual(connection.getresponse().status, 200)
        connection.close()
        os.kill(server.pid, signal.SIGTERM)
        _, stderr = server.communicate(timeout=60)
        self.assertEqual(server.returncode, 0)
        self.assertIn("whoever reaches this machine", stderr)


if __name__ == "__main__":
    unittest.main()
