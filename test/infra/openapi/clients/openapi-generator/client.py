"""Uses the demo plant with the client that openapi-generator generated, as main.go does, and prints what it got as JSON.

Arguments: the address of the service, and the start and end of a history in epoch milliseconds. The folder of the package caudal is on
the PYTHONPATH.
"""

import json
import sys

import caudal
from caudal.exceptions import ApiException

base_url, start, end = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def queries(name, topic, field, aggregate):
    """Reads one field of the plant over the last hour."""
    query = caudal.Query(
        calc_topic=topic,
        calc_field=field,
        calc_time=1,
        calc_unit="h",
        calc_period=1,
        calc_unit_period="h",
        calc_type_period=aggregate,
    )
    return {name: query}


def inputs():
    """New variables of the three kinds."""
    common = {"id": 0, "type": "last", "process": "walk"}
    flow = "plant/distribution/flow"
    return [
        caudal.SimpleVariableInput(
            **common, name="Flow", unit="m³/h", calc=False, vars_tsdb=queries("Flow", flow, "value", "last")
        ),
        caudal.CalculatedVariableInput(
            **common,
            name="Outflow",
            unit="L/s",
            calc=True,
            equation=[
                caudal.Token(type="variable", value="flow"),
                caudal.Token(type="operator", value="/"),
                caudal.Token(type="number", value="3.6"),
            ],
            vars_tsdb=queries("flow", flow, "value", "mean"),
        ),
        caudal.BitCompressedVariableInput(
            **common,
            name="Pump",
            unit="",
            calc=False,
            binary_compressed=True,
            vars_tsdb=queries("Pump", "plant/status", "byte", "last"),
            bits=[caudal.Bit(id=1, name="Running", bit=0)],
        ),
    ]


KINDS = {
    caudal.SimpleVariable: "simple",
    caudal.CalculatedVariable: "calculated",
    caudal.BitCompressedVariable: "compressed",
}


def refusal_of(call):
    """Returns the error of a call that must be refused."""
    try:
        call()
    except ApiException as error:
        return {"status": error.status, "errors": {field: each.to_dict() for field, each in error.data.items()}}
    raise SystemExit("expected a refusal")


def save(variable, **options):
    return variables.save_variable(caudal.VariableInput(variable), **options)


client = caudal.ApiClient(caudal.Configuration(host=base_url))
credentials = caudal.Credentials(
    email="operator@plant-a.example", tokenApp="demo-a", schemaName="plant_a", tsdb_name="plant_a"
)
client.configuration.access_token = caudal.SignInApi(client).sign_in(credentials).token
variables, readings_api = caudal.VariablesApi(client), caudal.ReadingsApi(client)

saved = [save(variable).actual_instance.data.actual_instance for variable in inputs()]
ids = [variable.id for variable in saved]
listed = variables.list_variables()
paged, after = [], 0
while after is not None:
    page = variables.list_variables(limit=10, after=after)
    paged.extend(page.data)
    after = page.next
readings = readings_api.read_variables(read_request=caudal.ReadRequest(ids=[*ids, 987654]))
span = caudal.HistoryRequest(ids=ids, start=caudal.HistoryRequestStart(start), end=caudal.HistoryRequestEnd(end))
wrong = inputs()[1]
wrong.vars_tsdb["flow"].calc_unit_period = "ms"
known = inputs()[0]
known.id = ids[0]

print(
    json.dumps(
        {
            "kinds": [KINDS[type(variable)] for variable in saved],
            "ids": ids,
            "listed": listed.to_dict(),
            "paged": [variable.to_dict() for variable in paged],
            "readings": readings.to_dict(),
            "polled": readings_api.read_variables().to_dict(),
            "missing": isinstance(readings.data[3].actual_instance, caudal.MissingReading),
            "history": readings_api.read_histories(span).to_dict(),
            "invalid": refusal_of(lambda: save(wrong)),
            "outdated": refusal_of(lambda: save(known, if_match='"7"')),
        },
        default=lambda time: time.isoformat(),
    )
)
