"""Writes net3.csv: flow and power of two pumps of EPANET's network Net3, over 7 days at 60 s.

    pip install wntr six && python make-net3.py

A row is there where a value changed. EPANET prints for these 7 days: pump 10 is used 58.33 % of the time and takes 313.73 kWh per
million US gallons, pump 335 23.58 % and 394.38 kWh.
"""

import os
import tempfile

import wntr

DAYS = 7
STEP_S = 60
EFFICIENCY = 0.75
KN_PER_M3 = 9.81

network = os.path.join(os.path.dirname(wntr.__file__), "library", "networks", "Net3.inp")
model = wntr.network.WaterNetworkModel(network)
time = model.options.time
time.duration = DAYS * 86_400
time.hydraulic_timestep = time.report_timestep = time.quality_timestep = STEP_S
model.options.quality.parameter = "NONE"
with tempfile.TemporaryDirectory() as folder:
    results = wntr.sim.EpanetSimulator(model).run_sim(file_prefix=os.path.join(folder, "net3"))

columns = []
for name in ["10", "335"]:
    pump = model.get_link(name)
    flow = results.link["flowrate"][name].clip(lower=0)
    lift = results.node["head"][pump.end_node_name] - results.node["head"][pump.start_node_name]
    columns += [flow * 3600, KN_PER_M3 * flow * lift / EFFICIENCY]

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "net3.csv"), "w") as file:
    file.write("minute,flow10,power10,flow335,power335\n")
    before = None
    for index, at in enumerate(columns[0].index):
        row = ",".join(f"{column.iloc[index] + 0:.5g}" for column in columns)
        if row != before:
            file.write(f"{at // STEP_S},{row}\n")
        before = row
