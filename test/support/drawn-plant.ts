/** A variable of a drawn plant: what its reading says, and its alarms. */
export interface DrawnVariable {
	readonly id: number;
	readonly name: string;
	readonly unit: string;
	/** The names of its bits. */
	readonly bits?: readonly string[];
	readonly value?: number;
	readonly quality?: string;
	/** How old the newest sample is; null: there is none. */
	readonly ageMs?: number | null;
	readonly alarms?: readonly DrawnAlarm[];
}

/** An alarm of a variable. */
export interface DrawnAlarm {
	readonly severity: 'critical' | 'warning' | 'info';
	readonly state: string;
	readonly condition: '>' | '<';
	readonly threshold: number;
	readonly bit?: number;
	readonly isShelved?: boolean;
}

/**
 * Returns a script that answers the console's requests for a plant with one diagram in the page itself, without a service, so that each
 * symbol can be in any state. `drawnPlant.variables` may be changed by a test; with `drawnPlant.isLost` nothing answers.
 */
export const drawnPlant = (diagram: object, variables: readonly DrawnVariable[]): string => `{
	const plant = (globalThis.drawnPlant = { variables: ${JSON.stringify(variables)}, diagrams: [${JSON.stringify({ id: 1, version: 1, ...diagram })}], isLost: false, polls: 0 });
	const alarmsOf = () => plant.variables.flatMap(({ id, name, alarms = [] }) => alarms.map((alarm, index) => ({
		id: id * 10 + index, name: name + (alarm.condition === '<' ? ' low' : ' high'), varId: id, bit: alarm.bit ?? null, condition: alarm.condition,
		threshold: alarm.threshold, severity: alarm.severity, state: alarm.state, occurrence: 1, enabled: true,
		since: new Date(Date.now() - 840_000).toISOString(), shelvedUntil: alarm.isShelved ? new Date(Date.now() + 3_600_000).toISOString() : null,
		active: alarm.state.startsWith('active'), value: null,
	})));
	const readingOf = (id) => {
		const variable = plant.variables.find((each) => each.id === id);
		if (variable === undefined) return { id, quality: 'missing_reference', value: null, time: null };
		const { name, unit, value = null, quality = 'good', ageMs = 4000, bits } = variable;
		return { id, name, unit, type: 'last', quality, value, time: ageMs === null ? null : new Date(Date.now() - ageMs).toISOString(),
			...(bits === undefined ? {} : { bits: bits.map((bit, index) => ({ id: index, bit: index, name: bit, value: value === null ? null : (value >> index) & 1 })) }) };
	};
	const respond = {
		'/getVarsTsdb': () => ({ data: plant.variables.map(({ id, name, unit, bits }) => ({ id, name, unit, type: 'last', process: 'Plant', calc: false,
			binary_compressed: bits !== undefined, varsTsdb: {}, version: 1, ...(bits === undefined ? {} : { bits: bits.map((bit, index) => ({ id: index, bit: index, name: bit })) }) })), next: null }),
		'/getAlarms': () => ({ data: alarmsOf(), evaluation: { status: 'ok', evaluatedUntil: new Date().toISOString() } }),
		'/getCharts': () => ({ data: [] }),
		'/getDiagrams': () => ({ data: plant.diagrams }),
		'/multipleDataTsdb': ({ ids = plant.variables.map(({ id }) => id) }) => {
			plant.polls += 1;
			return { data: ids.map(readingOf) };
		},
	};
	globalThis.fetch = async (request) => {
		if (plant.isLost) throw new TypeError('Failed to fetch');
		const body = JSON.parse((await request.text()) || '{}');
		return Response.json(respond[new URL(request.url).pathname](body));
	};
}`;
