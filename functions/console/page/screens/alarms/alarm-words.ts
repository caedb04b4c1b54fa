import type { Schemas } from '#page/core/api.ts';
import { conditionSign } from '#page/format/condition.ts';
import { formatValue } from '#page/format/decimals.ts';
import { formatExact } from '#page/format/number.ts';
import { type AlarmRow, watchedBit } from './alarm-rows.ts';

/** Returns a condition with its threshold: `< 2 m`. */
export function conditionText(
	{ condition, threshold }: Pick<Schemas['AlarmInput'], 'condition' | 'threshold'>,
	unit: string,
): string {
	return `${conditionSign(condition)} ${formatExact(threshold)}${unit === '' ? '' : ` ${unit}`}`;
}

/** Returns the value of a row; null where it has none. A bit is 0 or 1. */
export function rowNumber({ alarm, value }: AlarmRow): string | null {
	if (value === null) return null;
	return watchedBit(alarm) === null ? formatValue(alarm.varId, value) : String(value);
}
