/**
 * A script for a page that answers the console's requests for a plant of `count` variables in the page itself, without a service.
 * Every reading of every variable has another value; `simulatedReadings` counts them. Signing in is not simulated.
 * Its diagrams are `diagrams`.
 */
export const simulatedPlant = (count: number, diagrams: readonly object[] = []): string => `{
	const variables = Array.from({ length: ${count} }, (_, index) => ({
		id: index + 1, name: 'Sensor ' + (index + 1), unit: 'm', type: 'last', process: 'process ' + (Math.floor(index / 20) + 1),
		calc: false, binary_compressed: false, varsTsdb: {}, version: 1,
	}));
	globalThis.simulatedReadings = 0;
	const respond = {
		'/getVarsTsdb': (_, ids) => ({ data: variables.filter(({ id }) => ids.length === 0 || ids.includes(String(id))), next: null }),
		'/getAlarms': () => ({ data: [] }),
		'/getCharts': () => ({ data: [{ id: 1, title: 'Board', version: 1, series: [{ varId: 1, label: 'One', color: '#123456' }] }] }),
		'/getDiagrams': () => ({ data: ${JSON.stringify(diagrams)} }),
		'/bombs': () => ({ data: { title: 'Station', version: 1, pumps: [], states: [] } }),
		'/multipleDataTsdb': ({ ids = variables.map(({ id }) => id) }) => {
			simulatedReadings += 1;
			const time = new Date().toISOString();
			return { data: ids.map((id) => ({ id, name: 'Sensor ' + id, unit: 'm', type: 'last', quality: 'good', value: 10 + ((id * 7 + simulatedReadings) % 890) / 10, time })) };
		},
		'/history': ({ ids, start, end, points }) => {
			const bounds = Array.from({ length: points + 1 }, (_, index) => start + ((end - start) * index) / points);
			const own = (id) => bounds.slice(1).map((bound, index) => 10 + ((id * 7 + index * 13 + simulatedReadings) % 890) / 10);
			return { data: { bounds, period: { count: 1, unit: 'm' }, timeZone: 'UTC', dayStart: '00:00', variables: ids.map((id) => ({
				id, name: 'Sensor ' + id, unit: 'm', quality: 'good', period: { count: 5, unit: 's' }, aggregate: 'last', values: { own: own(id) } })) } };
		},
	};
	globalThis.fetch = async (request) => {
		const body = JSON.parse((await request.text()) || '{}');
		const { pathname, searchParams } = new URL(request.url);
		return Response.json(respond[pathname](body, searchParams.getAll('ids').join().split(',').filter(Boolean)));
	};
}`;
