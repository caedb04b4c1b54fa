"""Hooks of schemathesis (schemathesis.integration.ts): a generator of valid variables, and references to variables that exist.

The grammar of equations, rules over several fields and references are no JSON Schema, so generated bodies rarely keep them.
"""

from time import time_ns
from urllib.parse import urlencode

import schemathesis
from hypothesis import strategies as st

ALPHABET = st.characters(codec="utf-8", exclude_categories=["Cs"])
# Names are one line, without marks of direction: U+202A to U+202E, U+2066 to U+2069.
MARKS = "".join(map(chr, [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]))
LINE = st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Zl", "Zp"], exclude_characters=MARKS)
NAMES = st.text(LINE, min_size=1, max_size=200)
TEXTS = st.text(ALPHABET, min_size=1, max_size=1000)
TOPICS = st.sampled_from(["plant/distribution/flow", "plant/pump-1/status", "plant/well-1/level"])
# Lookbacks and periods with at most 10,000 windows each.
LOOKBACKS = st.sampled_from([(1, "h"), (0.5, "h"), (90, "m"), (86_400_000, "ms"), (2, "d"), (1, "mo"), (1, "y")])
PERIODS = st.sampled_from([(1, "h"), (1.5, "h"), (3600, "s"), (1, "d"), (2, "mo"), (1, "y")])
NUMBERS = st.one_of(st.just("0"), st.integers().map(str), st.floats(-1e9, 1e9).map(repr), st.just(".5"), st.just("1e3"))


@st.composite
def queries(draw, aggregates=("last", "mean")):
    """A query. Clients write the unit of the lookback under one of two names, or under both."""
    time, unit = draw(LOOKBACKS)
    period, unit_period = draw(PERIODS)
    return {
        "calc_topic": draw(TOPICS | TEXTS),
        "calc_field": draw(st.just("value") | TEXTS),
        "calc_time": time,
        **draw(st.sampled_from([{"calc_unit": unit}, {"calc_unit_topic": unit}, {"calc_unit": unit, "calc_unit_topic": unit}])),
        "calc_period": period,
        "calc_unit_period": unit_period,
        "calc_type_period": draw(st.sampled_from(aggregates)),
    }


def operator(value):
    return {"type": "operator", "value": value}


def equations(names):
    """Equations that use each name: the names joined by operators, each perhaps in an expression of its own."""
    number = NUMBERS.map(lambda value: [{"type": "number", "value": value}])
    join = st.sampled_from("+-*/").map(operator)

    def operand(name):
        variable = [{"type": "variable", "value": name}]
        wrapped = st.tuples(join, number).map(lambda pair: [operator("("), *variable, pair[0], *pair[1], operator(")")])
        return st.just(variable) | st.just([operator("-"), *variable]) | wrapped

    def joined(operands):
        return st.lists(join, min_size=len(operands) - 1, max_size=len(operands) - 1).map(
            lambda joins: operands[0] + [token for op, tokens in zip(joins, operands[1:]) for token in [op, *tokens]]
        )

    return st.tuples(*(operand(name) for name in names)).flatmap(joined)


@st.composite
def variables(draw):
    """A variable that the service accepts: simple, calculated or bit-compressed."""
    kind = draw(st.sampled_from(["simple", "calculated", "compressed"]))
    common = {
        "id": 0,
        "name": draw(NAMES),
        "unit": draw(NAMES),
        "type": draw(st.sampled_from(["last", "history"])),
        "process": draw(NAMES),
        "calc": kind == "calculated",
    }
    if kind == "simple":
        return {**common, "varsTsdb": {common["name"]: draw(queries())}}
    if kind == "calculated":
        names = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
        return {**common, "equation": draw(equations(names)), "varsTsdb": {name: draw(queries()) for name in names}}
    positions = draw(st.lists(st.integers(0, 7), min_size=1, max_size=8, unique=True))
    bits = [{"id": index, "name": draw(NAMES), "bit": position} for index, position in enumerate(positions)]
    query = draw(queries(aggregates=("last",)))
    return {**common, "binary_compressed": True, "bits": bits, "varsTsdb": {common["name"]: query}}


def is_valid(case):
    """Whether the whole request keeps the document. Requests that break it on purpose stay as they are."""
    return case.meta is not None and case.meta.generation.mode.is_positive


def operation_id(case):
    return case.operation.definition.raw.get("operationId")


@schemathesis.hook
def filter_case(context, case):
    """Leaves out queries that are longer than servers take: they answer 431, and no operation sees the request."""
    return len(urlencode(case.query or {}, doseq=True)) <= 8000


@schemathesis.hook
def flatmap_case(context, case):
    """Takes conditions and dryRun from three of four valid requests, and gives those that save a variable an accepted body.

    One of four that save an alarm tries it on the last hour instead.
    """
    if not is_valid(case):
        return st.just(case)

    def saving(variable):
        case.body = variable
        return case

    def unconditional(share):
        if share == 0:
            return st.just(case)
        for name in ("If-Match", "Idempotency-Key"):
            case.headers.pop(name, None)
        for name in ("dryRun", "start", "end"):
            case.query.pop(name, None)
        if operation_id(case) == "saveAlarm" and share == 1:
            now = time_ns() // 1_000_000
            case.query.update(dryRun="1", start=str(now - 3_600_000), end=str(now))
        return variables().map(saving) if operation_id(case) == "saveVariable" else st.just(case)

    return st.integers(0, 3).flatmap(unconditional)


saved_ids = []


@schemathesis.hook
def after_call(context, case, response):
    """Notes which variables exist."""
    if response.status_code != 200 or (case.query or {}).get("dryRun") == "1":
        return
    if operation_id(case) == "saveVariable":
        saved_ids.append(response.json()["data"]["id"])
    if operation_id(case) == "deleteVariable" and case.path_parameters["id"] in saved_ids:
        saved_ids.remove(case.path_parameters["id"])


def refer(item):
    """Lets an item of a board or of the panel refer to the newest variable, as a whole."""
    if isinstance(item, dict) and "varId" in item:
        item["varId"] = saved_ids[-1]
        item.pop("bit", None)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Lets valid boards and panels be new, and refer to a variable that exists."""
    if operation_id(case) not in ("saveChart", "saveDiagram", "saveAlarm", "savePanel") or not is_valid(case):
        return
    if not saved_ids or not isinstance(case.body, dict):
        return
    refer(case.body)
    for items in case.body.values():
        for item in items if isinstance(items, list) else []:
            refer(item)
    if "id" in case.body:
        case.body["id"] = 0
