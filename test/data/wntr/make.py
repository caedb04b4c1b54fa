"""Makes the data of test/shared/domain/totals/wntr.test.ts. Run once: pip install wntr==1.4.0 numpy; python make.py FOLDER.

Networks are those that WNTR brings along (Net1, Net3), and Hanoi (Fujiwara and Khang, 1990), whose
pipes and demands are below, as others publish them. Its diameters are a choice: these are of a design at least cost. Its districts differ by random numbers from one seed.
"""

import json
import re
import sys
from pathlib import Path

import numpy as np
import wntr

FOLDER = Path(sys.argv[1])
HOUR = 3600


def network(name):
    return wntr.network.WaterNetworkModel(str(Path(wntr.__file__).parent / "library" / "networks" / f"{name}.inp"))


def rounded(values, digits):
    return [round(float(value), digits) for value in values]


def balance():
    """Net1 for seven days with a leak that depends on the pressure: inflow, demand and leak in m3/h, the level of the tank in m."""
    wn = network("Net1")
    wn.options.time.duration = 7 * 24 * HOUR
    wn.options.time.hydraulic_timestep = wn.options.time.report_timestep = 300
    wn.options.hydraulic.demand_model = "PDD"
    leaking = wn.get_node("22")
    leaking.add_leak(wn, area=0.0006, start_time=0)
    results = wntr.sim.WNTRSimulator(wn).run_sim()
    demand, leak = results.node["demand"], results.node["leak_demand"]
    tank = wn.get_node("2")
    level = results.node["head"]["2"] - tank.elevation
    return {
        "step": 300,
        "area": round(float(np.pi * tank.diameter**2 / 4), 6),
        "inflow": rounded(-demand["9"] * HOUR, 3),
        "demand": rounded(demand[wn.junction_name_list].sum(axis=1) * HOUR, 3),
        "level": rounded(level, 4),
        "leak": rounded(leak["22"] * HOUR, 3),
    }


def energy(name):
    """A day of the pumps of a network: flow in m3/h and head in m, and the kWh for a million gallons that EPANET's own report tells."""
    wn = network(name)
    wn.options.time.report_timestep = wn.options.time.hydraulic_timestep = 300
    wn.options.time.duration = 24 * HOUR
    wn.options.report.energy = wn.options.report.report_params["energy"] = "YES"
    results = wntr.sim.EpanetSimulator(wn).run_sim(file_prefix=f"/tmp/wntr-{name}")
    report = Path(f"/tmp/wntr-{name}.rpt").read_text(errors="replace").split("Energy Usage:")[1]
    pumps = []
    for pump in wn.pump_name_list:
        link = wn.get_link(pump)
        head = results.node["head"][link.end_node_name] - results.node["head"][link.start_node_name]
        flow = results.link["flowrate"][pump]
        told = re.search(rf"^\s*{pump}\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)", report, re.M)
        running = flow > 1e-6
        pumps.append(
            {
                "pump": f"{name} {pump}",
                "efficiency": float(told[2]) / 100,
                "kWhPerMgal": float(told[3]),
                "flow": rounded(flow.where(running, 0) * HOUR, 4),
                "head": rounded(head.where(running, 0), 4),
            }
        )
    return pumps


LENGTHS = "100 1350 900 1150 1450 450 850 850 800 950 1200 3500 800 500 550 2730 1750 800 400 2200 1500 500 2650 1230 1300 850 300 750 1500 2000 1600 150 860 950"
ENDS = "1-2 2-3 3-4 4-5 5-6 6-7 7-8 8-9 9-10 10-11 11-12 12-13 10-14 14-15 15-16 17-16 18-17 19-18 3-19 3-20 20-21 21-22 20-23 23-24 24-25 26-25 27-26 16-27 23-28 28-29 29-30 30-31 32-31 25-32"
INCHES = "40 40 40 40 40 40 40 40 40 30 24 24 20 16 12 12 16 20 20 40 20 12 40 30 30 20 12 12 16 12 12 16 16 24"
DEMANDS = "890 850 130 725 1005 1350 550 525 525 500 560 940 615 280 310 865 1345 60 1275 930 485 1045 820 170 900 370 290 360 360 105 805"
NIGHTS, PER_NIGHT, LEAKS_FROM = 60, 12, 30
SIZES = [0, 396, 198, 99, 50, 25]


def hanoi(factors, coefficient):
    """Returns the inflow of Hanoi in m3/h for each factor of its demands, with a leak at node 13 of `coefficient` m3/h for each root of m."""
    wn = wntr.network.WaterNetworkModel()
    wn.options.hydraulic.inpfile_units = "CMH"
    wn.add_pattern("night", list(factors))
    wn.add_reservoir("1", base_head=100)
    for node, demand in enumerate(DEMANDS.split(), 2):
        wn.add_junction(str(node), base_demand=float(demand) / HOUR, demand_pattern="night", elevation=0)
    for ends, length, inches in zip(ENDS.split(), LENGTHS.split(), INCHES.split()):
        start, end = ends.split("-")
        wn.add_pipe(ends, start, end, length=float(length), diameter=float(inches) * 0.0254, roughness=130)
    wn.get_node("13").emitter_coefficient = coefficient / HOUR if coefficient > 0 else None
    wn.options.time.pattern_timestep = wn.options.time.hydraulic_timestep = wn.options.time.report_timestep = 900
    wn.options.time.duration = 900 * (len(factors) - 1)
    results = wntr.sim.EpanetSimulator(wn).run_sim(file_prefix="/tmp/wntr-hanoi")
    return -results.node["demand"]["1"].to_numpy() * HOUR


def districts():
    """24 districts over 60 nights from 02:00 to 05:00 each quarter of an hour, with leaks of six sizes from night 30 on."""
    random = np.random.default_rng(46)
    found = []
    for size in SIZES * 4:
        night = np.arange(NIGHTS)
        daily = 0.075 * (1 + 0.05 * random.standard_normal(NIGHTS)) * (1 + 0.03 * np.sin(2 * np.pi * night / 365 + random.uniform(0, 6)))
        daily *= np.where((night + random.integers(7)) % 7 < 2, 1.06, 0.98)
        shape = 1 + 0.05 * ((np.arange(PER_NIGHT) - 6) / 6) ** 2
        factors = (daily[:, None] * shape[None, :]).ravel()
        flow = hanoi(factors, 0)
        if size > 0:
            first = LEAKS_FROM * PER_NIGHT
            flow[first:] = hanoi(factors[first:], size / np.sqrt(99))
        measured = flow * (1 + 0.01 * random.uniform(-1, 1, flow.size))
        lost = random.uniform(size=flow.size) < 0.05
        found.append({"leak": size, "flow": [None if gone else round(float(value)) for value, gone in zip(measured, lost)]})
    return found


def write(name, data):
    (FOLDER / f"{name}.json").write_text(json.dumps(data, separators=(",", ":")) + "\n")


def main():
    write("net1", balance())
    write("pumps", [*energy("Net1"), *energy("Net3")])
    write("hanoi", districts())


if __name__ == "__main__":
    main()
