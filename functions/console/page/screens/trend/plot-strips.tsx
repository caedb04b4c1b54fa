import { isolatedName } from '#domain/isolated-name.ts';
import type { StoredCorrection } from '#page/core/definitions.ts';
import { gapsMs } from '#page/core/past/windows.ts';
import { formatAge } from '#page/format/time.ts';
import { stateWords } from '#page/i18n/state-words.ts';
import { classNames } from '#page/parts/class-names.ts';
import { CutName } from '#page/parts/cut-name.tsx';
import { CorrectionBands } from './correction-bands.tsx';
import { percent, placeOf } from './plot-places.ts';
import { type StripBlock, stripBlocks } from './strip-blocks.ts';
import { comparisonName, formatGap } from './trend-format.ts';
import type { Strip, TrendModel } from './trend-model.ts';

interface PlotStripsProps {
	readonly model: TrendModel;
	readonly corrections: readonly StoredCorrection[];
}

/** Shows each state as a strip. On is filled, a window that was partly on is filled to half of the height, and a gap is hatched. */
export function PlotStrips({ model: { strips, bounds, comparison }, corrections }: PlotStripsProps) {
	if (strips.length === 0) return null;
	return (
		<div class="plot-strips">
			{strips.map(({ key, varId, name, values, gaps, compared }) => (
				<div key={key} class="plot-strip">
					<span class="strip-over">
						<CorrectionBands corrections={corrections} lines={[{ varId, name }]} bounds={bounds} />
					</span>
					<Blocks name={name} values={values} gaps={gaps} bounds={bounds} />
					{compared !== null && comparison !== null && (
						<Blocks
							name={`${name}, ${comparisonName(comparison, bounds[0] ?? 0)}`}
							values={compared.values}
							gaps={compared.gaps}
							bounds={bounds}
							isCompared
						/>
					)}
					<span class="strip-name">
						<CutName name={name} />
					</span>
				</div>
			))}
		</div>
	);
}

interface BlocksProps extends Pick<Strip, 'name' | 'values' | 'gaps'> {
	readonly bounds: readonly number[];
	readonly isCompared?: boolean;
}

/** The blocks of a state over the range. Those of a compared range are thinner and paler. */
function Blocks({ name, values, gaps, bounds, isCompared = false }: BlocksProps) {
	return (
		<span class={classNames('strip', isCompared && 'compared')}>
			{stripBlocks(values, gaps).map((block) => {
				const { left, width } = placeOf(block, bounds);
				return (
					<i
						key={`${block.state} ${block.from}`}
						class={block.state}
						title={titleOf(name, block, bounds)}
						style={{ left: percent(left), width: percent(width) }}
					/>
				);
			})}
		</span>
	);
}

/** Returns the words of a block: the name of the line, its state, and how long it lasted. */
function titleOf(name: string, { state, from, to }: StripBlock, bounds: readonly number[]): string {
	const isolated = isolatedName(name);
	if (state === 'no_data' || state === 'bad') return `${isolated}: ${formatGap({ kind: state, from, to }, bounds)}`;
	const { on, off } = stateWords().state;
	const age = formatAge(gapsMs([{ from, to }], bounds));
	return `${isolated}: ${state === 'on' ? on : `${on}/${off}`} ${age}`;
}
