/** A request for a history and its answer: the flow of one day in Madrid by quarters. */
export const historyRequest = {
	ids: [13, 24, 9999],
	start: '2026-11-20T00:00:00+01:00',
	end: '2026-11-21T00:00:00+01:00',
	period: { count: 6, unit: 'h' },
	aggregates: ['own', 'max', 'coverage'],
	timeZone: 'Europe/Madrid',
} as const;

export const historyAnswer = {
	bounds: [1_795_129_200_000, 1_795_150_800_000, 1_795_172_400_000, 1_795_194_000_000, 1_795_215_600_000],
	period: { count: 6, unit: 'h' },
	timeZone: 'Europe/Madrid',
	dayStart: '00:00',
	variables: [
		{
			id: 13,
			name: 'Distribution flow',
			unit: 'm³/h',
			quality: 'good',
			period: { count: 5, unit: 's' },
			aggregate: 'last',
			values: { own: [182.1, 236.4, null, 201.9], max: [241.5, 302.8, null, 266], coverage: [1, 0.996, 0, 1] },
		},
		{
			id: 24,
			name: 'Stored volume',
			unit: 'm³',
			quality: 'good',
			period: { count: 5, unit: 's' },
			aggregate: null,
			values: { own: [1254.6, null, null, 1310.2] },
			faults: { several_series: [1] },
			unavailable: ['max', 'coverage'],
		},
		{
			id: 9999,
			name: null,
			unit: null,
			quality: 'missing_reference',
			reason: {
				code: 'missing_reference',
				message: 'There is no such variable: it was deleted, or never existed.',
				inputs: [],
			},
			period: null,
			aggregate: null,
			values: { own: [null, null, null, null], max: [null, null, null, null], coverage: [null, null, null, null] },
		},
	],
} as const;
