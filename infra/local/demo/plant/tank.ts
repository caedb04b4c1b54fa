/** What flows into and out of a tank in a step of `hours`. */
export interface TankFlows {
	readonly inM3h: number;
	readonly outM3h: number;
	readonly hours: number;
}

/** A tank with straight walls. The simulation keeps its level from `floorM` to `brimM`. */
export interface Tank {
	readonly areaM2: number;
	readonly heightM: number;
	readonly floorM: number;
	readonly brimM: number;
}

/** The three tanks, in the direction of the flow. `plant-a.json` repeats their areas in the variable `Stored volume`. */
export const tanks = {
	raw: { areaM2: 180, heightM: 4, floorM: 0.3, brimM: 3.8 },
	treated: { areaM2: 250, heightM: 4.5, floorM: 0.3, brimM: 4.3 },
	network: { areaM2: 120, heightM: 6, floorM: 0.3, brimM: 5.8 },
} as const satisfies Record<string, Tank>;

/**
 * Returns the inflow nearest to the wanted one, `inM3h`, that neither overfills the tank nor lets it run dry, in m³/h. It differs from the
 * wanted one over steps of hours only: pumps that start and stop within such a step are represented by their mean.
 */
export function possibleInflowM3h(tank: Tank, levelM: number, { inM3h, outM3h, hours }: TankFlows): number {
	const least = outM3h - ((levelM - tank.floorM) * tank.areaM2) / hours;
	const most = outM3h + ((tank.brimM - levelM) * tank.areaM2) / hours;
	return Math.max(0, Math.min(Math.max(inM3h, least), most));
}

/** Returns the level of a tank after a step. */
export function levelAfter(tank: Tank, levelM: number, { inM3h, outM3h, hours }: TankFlows): number {
	return levelM + ((inM3h - outM3h) * hours) / tank.areaM2;
}
