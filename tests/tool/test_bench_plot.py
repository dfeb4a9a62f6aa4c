"""gecc bench --plot: a picture that has what was printed.

Test: fast
"""

import json
import unittest
import xml.etree.ElementTree as ElementTree

from support import ToolTest

SVG = "{http://www.w3.org/2000/svg}"


class Plot(ToolTest):
    def measure(self, *arguments):
        path = self.folder / "rates.svg"
        done = self.run_tool("bench", "--json", "--runs", 1, "--curve", "P-256", "--plot", path, *arguments, status=0)
        heading, *lines = map(json.loads, done.stdout.splitlines())
        return heading, lines, ElementTree.parse(path).getroot()

    def test_it_has_every_point(self):
        heading, lines, picture = self.measure("--batch", "16,256,64", "--op", "ecdsa.*")
        titles = [title.text for title in picture.iter(f"{SVG}title")]
        self.assertEqual(sorted(titles), sorted(f"{line['operation']}, P-256, pageable: {line['batch']} rows, {line['items_per_second']} a second" for line in lines))
        names = {line["operation"] for line in lines}
        self.assertGreater(len(names), 2)
        self.assertEqual(len(list(picture.iter(f"{SVG}polyline"))), len(names))
        texts = [text.text for text in picture.iter(f"{SVG}text")]
        self.assertTrue(any(heading["machine"] in text and heading["version"] in text for text in texts))
        # More rows are further to the right, a higher rate is higher.
        for name in names:
            points = [(float(circle.get("cx")), float(circle.get("cy")), circle[0].text) for circle in picture.iter(f"{SVG}circle") if circle[0].text.startswith(name + ",")]
            of = {(line["batch"], line["items_per_second"]): text for line in lines if line["operation"] == name
                  for text in [f"{name}, P-256, pageable: {line['batch']} rows, {line['items_per_second']} a second"]}  # fmt: skip
            place = {text: (x, y) for x, y, text in points}
            batches = [place[text][0] for (batch, _), text in sorted(of.items())]
            rates = [place[text][1] for (_, rate), text in sorted(of.items(), key=lambda item: item[0][1])]
            self.assertEqual((batches, rates), (sorted(batches), sorted(rates, reverse=True)))
        for x, y in ((float(c.get("cx")), float(c.get("cy"))) for c in picture.iter(f"{SVG}circle")):
            self.assertTrue(80 <= x <= 640 and 30 <= y <= 480)

    def test_one_batch(self):
        _, lines, picture = self.measure("--batch", "64", "--op", "ecdsa.verify")
        self.assertEqual((len(lines), len(list(picture.iter(f"{SVG}circle")))), (1, 1))

    def test_what_is_refused(self):
        self.assertIn(b"--plot", self.run_tool("bench", "--plot", "rates.png", status=2).stderr)
        for path, words in ((self.folder / "no" / "rates.svg", b"No such file"), (self.folder / "folder.svg", b"directory")):
            (self.folder / "folder.svg").mkdir(exist_ok=True)
            done = self.run_tool("bench", "--op", "ecdsa.verify", "--curve", "P-256", "--batch", 16, "--runs", 1, "--plot", path, status=2)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stdout, b"", "it was measured first")

    def test_a_picture_that_was_there_stays(self):
        """Until there is another."""
        path = self.folder / "rates.svg"
        path.write_text("old")
        self.run_tool("bench", "--op", "ecdsa.verify", "--backend", "cuda", "--device", "99", "--plot", path, status=2)
        self.assertEqual(path.read_text(), "old")
        self.measure("--batch", "16", "--op", "ecdsa.verify")
        self.assertIn("<svg", path.read_text())
        self.assertEqual(sorted(name.name for name in self.folder.iterdir()), ["rates.svg"])


if __name__ == "__main__":
    unittest.main()
