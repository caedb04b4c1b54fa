import { gapsMs } from '#page/core/past/windows.ts';
import { formatAge } from '#page/format/time.ts';
import { stateWords } from '#page/i18n/state-words.ts';
import { percent, placeOf } from './plot-places.ts';
import { type StripBlock, stripBlocks } from './strip-blocks.ts';
import { trendText } from './texts.ts';
import type { TrendModel } from './trend-model.ts';

/** The states, a strip each: on is filled, a part of the window half as high, missing hatched. */
export function PlotStrips({ model: { strips, bounds } }: { readonly model: TrendModel }) {
	if (strips.length === 0) return null;
	return (
		<div class="plot-strips">
			{strips.map(({ key, name, values, gaps }) => (
				<div key={key} class="plot-strip">
					<span class="strip">
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
					<span class="strip-name" title={name}>
						{name}
					</span>
				</div>
			))}
		</div>
	);
}

function titleOf(name: string, block: StripBlock, bounds: readonly number[]): string {
	const text = trendText();
	const { on, off } = stateWords().state;
	const age = formatAge(gapsMs([block], bounds));
	if (block.state === 'no_data') return `${name}: ${text.noData(age)}`;
	if (block.state === 'bad') return `${name}: ${text.bad(age)}`;
	return `${name}: ${block.state === 'on' ? on : `${on}/${off}`} ${age}`;
}
