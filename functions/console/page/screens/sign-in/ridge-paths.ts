/** The size of the drawing. */
export const ridgeBox = { width: 960, height: 900 } as const;

/** Where the line of the first ridge is, as a share of the height. */
const firstLine = 0.4;

/** How high a ridge may rise above its line, as a share of the height. */
const rise = 0.12;

/** How far a ridge extends beyond the drawing, so that its stroke is seen only at its top. */
const beyond = 20;

/** The greatest digit in base 36. */
const greatestDigit = 35;

/**
 * A day of twelve sensors of the demo plant, smoothed: a digit in base 36 for each half an hour, from the least value of the sensor
 * (0) to its greatest (z).
 */
const days = [
	'cbaaabbbbbbccdegjmpsuusplgc853210001358djpuyzxtq',
	'quvridhpqi839jrvwvod3026aeimrwzvmdbhmkb3148dimqs',
	'b87bilhcdjnjc52116fnne5016cfgjqwzwoihmpmd4038dfe',
	'noqstsrppqrsrpmkifb74358dinswxxxxzzyvutrmg930158',
	'0011122211100000136aeimptwyzzwrkc521111110001111',
	'8aekqqkediorohcbdffd952014aiopkghmokffltyzwrkd85',
	'zwofbfmngadlstuvunebirxyyyxwri7007hlibbktyzzzyyy',
	'2dqupf9eovulbajtyzzzzzzzzzyvl817gg606kuyzzzzzzzz',
	'11234455666777631248bfjmqtwyzyuoid97411000012344',
	'8djjfbcgifaafkmoqrne9cjqvyxsoke6005chfa9dlsyzwro',
	'09jpohabiprmd9elpqqqomlkkmookb47ega46gqwyzyvspnm',
	'pojc9emnhbfpyxrje955ainrtwyzvl8019jkc437eimpsuwx',
];

/** Returns the paths of the ridges, from the farthest to the nearest. Each covers the ones behind it. */
export function ridgePaths(): readonly string[] {
	return days.map((day, index) => {
		const line = ridgeBox.height * (firstLine + ((1 - firstLine) * index) / (days.length - 1));
		return ridgePath(
			[...day].map((digit) => Number.parseInt(digit, 36) / greatestDigit),
			line,
		);
	});
}

/**
 * Returns the path of one ridge: curves through the middles between its points.
 * @param levels the height at each point, from 0 to 1
 * @param line the vertical place of the level 0
 */
function ridgePath(levels: readonly number[], line: number): string {
	const step = ridgeBox.width / (levels.length - 1);
	const xOf = (index: number): number => Math.round(index * step);
	const yOf = (level: number): number => Math.round(line - level * rise * ridgeBox.height);
	const below = ridgeBox.height + beyond;
	const curves = levels.map((level, index) => {
		const next = levels[index + 1] ?? level;
		return `Q${xOf(index)} ${yOf(level)} ${xOf(index + 0.5)} ${yOf((level + next) / 2)}`;
	});
	return `M${-beyond} ${below}V${yOf(levels[0] ?? 0)}H0${curves.join('')}H${ridgeBox.width + beyond}V${below}Z`;
}
