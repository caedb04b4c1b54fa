/** The most variables of a diagram. */
const maxVariables = 48;

/**
 * Returns a diagram of `count` entries, each bound to one of 48 variables: two fifths are symbols of every kind that shows a variable, two
 * fifths are pipes, and the rest are the joins between which they lie.
 */
export const largeDrawing = (count: number): object => {
	const [symbols, pipes] = [Math.round(count * 0.4), Math.round(count * 0.4)];
	const joins = count - symbols - pipes;
	const kinds = [
		{ kind: 'tank', w: 0.02, h: 0.04, scale: [0, 100] },
		{},
		{ kind: 'pump', w: 0.02 },
		{},
		{ kind: 'valve', w: 0.02 },
		{},
	];
	const place = (index: number, of: number) => ({
		x: ((index % 20) + 0.5) / 20,
		y: (Math.floor(index / 20) + 0.5) / Math.ceil(of / 20),
	});
	return {
		id: 1,
		version: 1,
		title: 'Large',
		ratio: 1.6,
		items: Array.from({ length: symbols }, (_, index) => ({
			varId: (index % maxVariables) + 1,
			...place(index, symbols),
			...kinds[index % kinds.length],
		})),
		shapes: Array.from({ length: joins }, (_, index) => ({ kind: 'join', key: `j${index}`, ...place(index, joins) })),
		pipes: Array.from({ length: pipes }, (_, index) => ({
			from: [`j${index % joins}`, 'right'],
			to: [`j${(index * 7 + 1) % joins}`, 'top'],
			varId: (index % maxVariables) + 1,
		})),
	};
};
