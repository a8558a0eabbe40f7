"""Checks a folder's schema.json, and with it one scene a line: good.txt must pass, bad.txt must fail."""

import json
import pathlib
import sys

import jsonschema

folder = pathlib.Path(sys.argv[1])
schema = json.loads((folder / "schema.json").read_text())
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)

wrong = 0
for name, expected in (("good.txt", True), ("bad.txt", False)):
    lines = (folder / name).read_text().splitlines()
    assert lines, name
    for line in lines:
        if validator.is_valid(json.loads(line)) != expected:
            wrong += 1
            print("should be", "valid:" if expected else "invalid:", line)
            for error in validator.iter_errors(json.loads(line)):
                print("   ", error.message)
sys.exit(1 if wrong else 0)
