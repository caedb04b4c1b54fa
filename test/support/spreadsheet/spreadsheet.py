"""Counts totals as a spreadsheet would: one row for every 5 seconds, one column for every line, and sums over the rows of a window.

Reads the request as JSON from standard input, and samples from the CSV that it names (time in epoch milliseconds, topic, field, value).
Writes the bounds of the windows and the numbers of each line as JSON. It is written from the rules of totals alone, and shares nothing
with the service. Only what the demo plant needs is here: samples and holds at multiples of 5 s, and corrections that exclude.
"""

import csv
import json
import math
import sys
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from zoneinfo import ZoneInfo

ROW_MS = 5_000
UNITS_MS = {"s": 1_000, "min": 60_000, "h": 3_600_000, "m": 60_000, "d": 86_400_000}
OVER_TIME = ("total", "mean", "min", "max", "onTime")

request = json.load(sys.stdin)
zone = ZoneInfo(request["timeZone"])
start, end = request["start"], request["end"]


def local(ms):
    return datetime.fromtimestamp(ms / 1000, timezone.utc).astimezone(zone)


def midnight_after(ms):
    day = local(ms).date() + timedelta(days=1)
    return round(datetime(day.year, day.month, day.day, tzinfo=zone).timestamp() * 1000)


bounds = [start]
while bounds[-1] < end:
    bounds.append(midnight_after(bounds[-1]) if request["period"] == "day" else bounds[-1] + 3_600_000)

raw = {}
with open(request["csv"], newline="") as file:
    for time, topic, field, value in csv.reader(file):
        raw.setdefault((topic, field), []).append((int(time), float(value)))
for samples in raw.values():
    samples.sort()


class Column:
    """What one line reads: its samples, and its value in each row (None: unknown)."""

    def __init__(self, samples, hold, blind=()):
        self.samples, self.hold, self.blind = samples, hold, blind
        self.rows = {}
        newest = -1
        for row in range(start, end + ROW_MS, ROW_MS):
            while newest + 1 < len(samples) and samples[newest + 1][0] <= row:
                newest += 1
            self.rows[row] = samples[newest][1] if newest >= 0 and row < samples[newest][0] + hold else None
        for since, to in blind:
            for row in self.rows:
                if since <= row < to:
                    self.rows[row] = None

    def pairs(self):
        """Consecutive samples, and whether the signal is unknown between them."""
        for (a, x), (b, y) in zip(self.samples, self.samples[1:]):
            yield a, x, b, y, b > a + self.hold or any(a < to and b > since for since, to in self.blind)


def corrected(samples, corrections):
    kept = [(at, value) for at, value in samples if not any(c["from"] <= at < c["to"] for c in corrections)]
    blind = []
    for each in corrections:
        later = [at for at, _ in kept if at >= each["to"]]
        blind.append((each["from"], later[0] if later else math.inf))
    return kept, blind


def column_of(line):
    variable = variables[line["varId"]]
    applied = [each for each in request["corrections"] if each["varId"] == line["varId"]]
    columns = {}
    for name, query in variable["varsTsdb"].items():
        samples, blind = corrected(raw[query["calc_topic"], query["calc_field"]], applied)
        if line.get("bit") is not None:
            samples = [(at, int(value) >> line["bit"] & 1) for at, value in samples]
        own_hold = max(60_000, 2 * query["calc_period"] * UNITS_MS[query["calc_unit_period"]])
        columns[name] = Column(samples, line["holdSeconds"] * 1000 if line.get("holdSeconds") else own_hold, blind)
    if not variable["calc"]:
        return next(iter(columns.values()))
    if applied:
        raise ValueError("The demo plant has no correction of a formula.")
    result = Column([], 0)
    for row in result.rows:
        values = {name: column.rows[row] for name, column in columns.items()}
        result.rows[row] = None if None in values.values() else evaluate(variable["equation"], values)
    return result


class Interval:
    """Bounds of a number: the arithmetic takes the least and the greatest of all ends."""

    def __init__(self, low, high):
        self.low, self.high = low, high

    def __add__(self, other):
        return Interval(self.low + other.low, self.high + other.high)

    def __sub__(self, other):
        return Interval(self.low - other.high, self.high - other.low)

    def __mul__(self, other):
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(ends), max(ends))

    def __truediv__(self, other):
        if other.low <= 0 <= other.high:
            raise ZeroDivisionError
        return self * Interval(1 / other.high, 1 / other.low)


@lru_cache(maxsize=None)
def compiled(text):
    return compile(text, "equation", "eval")


def evaluate(equation, values, number=float):
    names = {}
    parts = []
    for index, token in enumerate(equation):
        if token["type"] == "operator":
            parts.append(token["value"])
            continue
        names[f"n{index}"] = number(token["value"]) if token["type"] == "number" else values[token["value"]]
        parts.append(f"n{index}")
    try:
        return eval(compiled(" ".join(parts)), {"__builtins__": {}}, names)
    except ZeroDivisionError:
        return None


@lru_cache(maxsize=None)
def time_of_day(minute):
    return local(minute * 60_000).strftime("%H:%M")


def in_hours(row, between):
    if between is None:
        return True
    now, (since, to) = time_of_day(row // 60_000), between
    return since <= now < to if since < to else now >= since or now < to


def over_time(line, column, a, b, also=()):
    """A function of the rows of [a, b). `also`: other columns that must be known."""
    rows = [row for row in range(a, b, ROW_MS) if in_hours(row, line.get("between"))]
    own, others = column.rows, [each.rows for each in also]
    seen = [(row, own[row]) for row in rows if own[row] is not None and all(each[row] is not None for each in others)]
    span, known = len(rows) * ROW_MS, len(seen) * ROW_MS
    values = [value for _, value in seen]
    name = line["function"]
    result = {"value": None, "low": None, "high": None, "known": known / span if span else None}
    if name == "onTime":
        above = line.get("above")
        on = sum(1 for value in values if (value != 0 if above is None else value > above)) * ROW_MS
        return {**result, "value": on / 3.6e6 if known else None, "low": on / 3.6e6, "high": (on + span - known) / 3.6e6}
    reach = None
    if known == span and known:
        reach = (min(values), max(values))
    elif line.get("range") is not None:
        reach = (min([line["range"][0], *values]), max([line["range"][1], *values]))
    if name in ("min", "max"):
        if values:
            extreme = min(values) if name == "min" else max(values)
            result.update(value=extreme, at=next(row for row, value in seen if value == extreme))
        if reach is not None:
            result["low"] = reach[0] if name == "min" else (result["value"] if values else reach[0])
            result["high"] = reach[1] if name == "max" else (result["value"] if values else reach[1])
        return result
    integral = math.fsum(value * ROW_MS for value in values)
    known_ms, span_ms = (UNITS_MS[line["per"]],) * 2 if name == "total" else (known, span)
    if known:
        result["value"] = integral / known_ms
    if span and (reach is not None or known == span):
        low, high = reach
        result["low"] = (integral + (span - known) * low) / span_ms
        result["high"] = (integral + (span - known) * high) / span_ms
    return result


def share_known(column, a, b):
    rows = range(a, b, ROW_MS)
    return sum(1 for row in rows if column.rows[row] is not None) / len(rows)


def starts(column, a, b):
    counted = over = 0
    has_wide = False
    for at, x, later, y, is_wide in column.pairs():
        if not a <= later < b:
            continue
        is_start = x == 0 and y != 0
        counted += is_start
        if is_wide and at < a:
            over, has_wide = int(is_start), True
    known = share_known(column, a, b)
    has_base = any(at < a for at, _ in column.samples)
    exact = known == 1 and has_base and not has_wide
    return {"value": counted if known else None, "low": counted - over, "high": counted if exact else None, "known": known}


def increase(line, column, a, b):
    size = line.get("counter", {}).get("size")
    advanced, over, pairs = [], 0, 0
    for at, x, later, y, is_wide in column.pairs():
        if not a < later <= b:
            continue
        step = y - x
        if size is not None and step < 0:
            step += size
        if step < 0 or (size is not None and step > size / 10):
            raise ValueError("The demo plant has no meter that was exchanged.")
        pairs += 1
        advanced.append(step)
        if is_wide and at < a:
            over = step
    value, known = math.fsum(advanced), share_known(column, a, b)
    has_base = any(at <= a for at, _ in column.samples)
    exact = column.rows[b] is not None and has_base
    return {"value": value if known or pairs else None, "low": value - over, "high": value if exact else None, "known": known}


def raised(line, a, b):
    evaluated = min(b, max(a, request["evaluatedUntil"])) - max(a, min(b, request["evaluatedFrom"]))
    counted = sum(1 for event in request["raised"] if a <= event["time"] < b and line.get("severity") in (None, event["severity"]))
    known = evaluated / (b - a)
    return {"value": counted if known else None, "low": counted, "high": counted if known == 1 else None, "known": known}


variables = {variable["id"]: variable for variable in request["variables"]}
lines = {line["key"]: line for line in request["lines"]}
columns = {key: column_of(line) for key, line in lines.items() if "varId" in line}


def names_in(equation):
    return [token["value"] for token in equation if token["type"] == "variable"]


def number_of(key, a, b):
    line = lines[key]
    name = line["function"]
    if name == "formula":
        return formula(line, a, b)
    if name == "raised":
        return raised(line, a, b)
    if name in OVER_TIME:
        return over_time(line, columns[key], a, b)
    return starts(columns[key], a, b) if name == "starts" else increase(line, columns[key], a, b)


def formula(line, a, b):
    used = names_in(line["equation"])
    common = [columns[key] for key in used if lines[key]["function"] in OVER_TIME]
    own = {key: number_of(key, a, b) for key in used}
    taken = {
        key: over_time(lines[key], columns[key], a, b, common) if lines[key]["function"] in OVER_TIME else own[key] for key in used
    }
    values = {key: each["value"] for key, each in taken.items()}
    result = {"value": None, "low": None, "high": None, "known": min(each["known"] for each in taken.values())}
    if None not in values.values():
        result["value"] = evaluate(line["equation"], values)
    if all(each["low"] is not None and each["high"] is not None for each in own.values()):
        ends = {key: Interval(each["low"], each["high"]) for key, each in own.items()}
        interval = evaluate(line["equation"], ends, lambda text: Interval(float(text), float(text)))
        if interval is not None:
            result.update(low=interval.low, high=interval.high)
    return result


answer = {
    key: {
        "windows": [number_of(key, a, b) for a, b in zip(bounds, bounds[1:])],
        "total": number_of(key, bounds[0], bounds[-1]),
    }
    for key in lines
}
json.dump({"bounds": bounds, "lines": answer}, sys.stdout)
