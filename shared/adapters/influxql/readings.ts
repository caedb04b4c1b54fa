import type { PointFault } from '#domain/ports/time-series.ts';
import { maxExactInteger } from '../series-points.ts';
import type { Cell } from './msgpack.ts';

/** A number, or why there is none. Integers of 2^53 and more have lost digits where they were cast to floats. */
export type CellReading = number | PointFault;

/** Whether a reading may be an integer that lost digits, so that it has to be read in its own type. */
export function mayBeInexact(reading: CellReading | undefined): boolean {
	return typeof reading === 'number' && Math.abs(reading) >= maxExactInteger;
}

/** Converts a cell. @throws RangeError when it holds nothing */
export function readingOf(cell: Cell | undefined): CellReading {
	if (typeof cell === 'string') return 'not_numeric';
	if (typeof cell === 'boolean') return Number(cell);
	if (typeof cell === 'bigint') return cell > maxExact || cell < -maxExact ? 'precision' : Number(cell);
	if (typeof cell !== 'number') throw new RangeError('A value is missing.');
	// A sum beyond the largest float is infinite.
	return Number.isFinite(cell) ? cell : 'precision';
}

const maxExact = BigInt(maxExactInteger);
