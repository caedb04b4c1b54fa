import { parseNumber } from '#domain/equation/token.ts';
import { ConfigError } from '#shared/config.ts';
import { quoted } from './quoted.ts';

/** The signs that stand between a whole number and its fraction. */
export const decimalSigns = ['.', ','] as const;
export type DecimalSign = (typeof decimalSigns)[number];

/** A number with one sign that may as well separate thousands: `1,234`. */
const thousands = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;

/**
 * Parses the number of a cell. Returns NaN for other text: with the other decimal sign, separated thousands, a unit, a percent sign or
 * hexadecimal digits. Infinite when the number is too large.
 */
export function readNumber(cell: string, decimal: DecimalSign): number {
	const text = cell.trim().replace(/^\u2212/, '-');
	if (decimal === '.') return parseNumber(text);
	return text.includes('.') ? Number.NaN : parseNumber(text.replace(',', '.'));
}

/** The cells of a file that tell its decimal sign. */
export interface DecimalEvidence {
	/** The first number with each sign. */
	readonly first: Map<DecimalSign, string>;
	/** The signs that separate no thousands, because a number shows it. */
	readonly certain: Set<DecimalSign>;
}

/** Adds a cell to the evidence. Returns whether it is a number with one of the signs. */
export function addEvidence({ first, certain }: DecimalEvidence, cell: string): boolean {
	const sign = decimalSigns.find((each) => Number.isFinite(readNumber(cell, each)));
	if (sign !== undefined && cell.includes(sign)) {
		if (!first.has(sign)) first.set(sign, cell);
		if (!thousands.test(cell.trim())) certain.add(sign);
	}
	return sign !== undefined;
}

/**
 * Returns the decimal sign of a file. Where commas separate cells it is the point. Elsewhere the numbers show it.
 * @throws ConfigError when they do not: they have both signs, or their signs may separate thousands
 */
export function decimalSignOf({ first, certain }: DecimalEvidence, delimiter: string): DecimalSign {
	const [sign = '.', ...others] = first.keys();
	if (delimiter === ',' ? !first.has(',') : others.length === 0 && (first.size === 0 || certain.has(sign))) return sign;
	const cells = [...first.values()].map(quoted).join(' and ');
	throw new ConfigError(
		`The decimal sign of ${cells} is not certain: give --decimal , or --decimal . (other cells are skipped).`,
	);
}
