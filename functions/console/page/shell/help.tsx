import type { ComponentChildren } from 'preact';
import { qualities } from '#domain/reading/quality.ts';
import { severityOrder } from '#page/core/alarm-state.ts';
import { activeShortcuts } from '#page/core/shortcuts.ts';
import { formatNumber } from '#page/format/number.ts';
import { alarmStateText } from '#page/i18n/alarm-states.ts';
import { commonText } from '#page/i18n/common.ts';
import { qualityWords } from '#page/i18n/reasons.ts';
import { stateWords } from '#page/i18n/state-words.ts';
import { AlarmMark } from '#page/parts/alarm-mark.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { RangeBar, Sparkline, StateStrip } from '#page/parts/small-charts.tsx';
import { StateShape } from '#page/parts/state-shape.tsx';
import { QualityMark, ValueText } from '#page/parts/value-text.tsx';
import { drawingHelp, drawingShortcuts } from '#page/screens/diagram/edit/drawing-actions.ts';
import { addKeys, helpText, screenKeys } from './help-texts.ts';
import { shellText } from './texts.ts';

/** The dialog that explains every key, the parts of a tile, the shapes and the marks. The same components draw them as on the screens. */
export function Help({ onClose }: { readonly onClose: () => void }) {
	const text = helpText();
	const active = activeShortcuts();
	const general = [
		{ key: '← ↑ → ↓', label: text.general.arrows },
		{ key: 'Enter', label: text.general.enter },
		{ key: 'Esc', label: text.general.escape },
	];
	const ofScreens = [
		...screenKeys.map(([key, name]) => ({ key, label: text.keys[name] })),
		...drawingShortcuts.map(({ key, help }) => ({ key, label: help() })),
	];
	const inactive = ofScreens.filter(({ key }) => !active.some((shortcut) => shortcut.key === key));
	return (
		<Dialog title={shellText().help} onClose={onClose} closeLabel={commonText().close}>
			<Keys title={text.here} keys={[...active, ...general]} />
			<Keys title={text.elsewhere} keys={inactive} />
			<Keys title={text.drawing} keys={drawingHelp()} />
			<Keys title={text.adding} keys={addKeys.map(([key, name]) => ({ key, label: text.addKeys[name] }))} />
			<TileLegend />
			<MarkLegend />
		</Dialog>
	);
}

/** A list of keys with what they do. */
function Keys({ title, keys }: { readonly title: string; readonly keys: readonly { key: string; label: string }[] }) {
	return (
		<section>
			<h3>{title}</h3>
			<dl class="facts keys">
				{keys.map(({ key, label }) => (
					<div key={key}>
						<dt>
							<kbd>{key}</kbd>
						</dt>
						<dd>{label}</dd>
					</div>
				))}
			</dl>
		</section>
	);
}

interface DrawingsProps {
	readonly title: string;
	/** Pairs of an example drawing and the words that explain it. */
	readonly entries: readonly (readonly [drawing: ComponentChildren, words: string])[];
}

/** A list of example drawings with their explanations. */
function Drawings({ title, entries }: DrawingsProps) {
	return (
		<section>
			<h3>{title}</h3>
			<dl class="legend">
				{entries.map(([drawing, words]) => (
					<div key={words}>
						<dt>{drawing}</dt>
						<dd>{words}</dd>
					</div>
				))}
			</dl>
		</section>
	);
}

/** The example of a sparkline: six values with a gap, and the band of the values between them. */
const hour = {
	values: [2, 3, 5, null, 4, 6],
	band: { low: [1, 2, 4, null, 3, 5], high: [3, 5, 6, null, 5, 7] },
};

/** The value that the example tiles show. */
const exampleValue = 4.2;

/** The example of a bar: its scale, the values of the last day, and a limit. */
const bar = { scale: { from: 0, to: 10 }, band: { from: 2, to: 6 }, limits: [8], excessFrom: null };

/** The example of a strip: on, off, both, and not known. */
const strip = [{ isOn: true, changed: false }, { isOn: false, changed: false }, { isOn: true, changed: true }, null];

/** What a tile shows, each part with an example. */
function TileLegend() {
	const { tiles, tile } = helpText();
	const number = formatNumber(exampleValue, { decimals: 1 });
	return (
		<Drawings
			title={tiles}
			entries={[
				[<ValueText key="current" text={number} unit="m" current />, tile.current],
				[<ValueText key="old" text={number} unit="m" current={false} />, tile.old],
				[<ValueText key="none" text={null} unit="m" current={false} />, tile.none],
				[<Sparkline key="line" past={hour} />, tile.line],
				[<RangeBar key="bar" {...bar} value={exampleValue} />, tile.bar],
				[<RangeBar key="excess" {...bar} value={9.5} excessFrom={8} severity="warning" />, tile.excess],
				[<StateStrip key="strip" states={strip} />, tile.strip],
			]}
		/>
	);
}

/** The shapes of the plant, and the marks of alarms and of qualities. */
function MarkLegend() {
	const text = helpText();
	const words = stateWords();
	const { severities, states } = alarmStateText();
	const shapes = (['pump', 'valve', 'state'] as const).flatMap((kind) =>
		[true, false].map(
			(on) => [<StateShape key={`${kind} ${on}`} kind={kind} on={on} />, words[kind][on ? 'on' : 'off']] as const,
		),
	);
	const unknown = [<StateShape key="unknown" kind="state" on={null} />, words.unknown] as const;
	const ofSeverity = severityOrder.flatMap((severity) =>
		(['active_unacknowledged', 'active_acknowledged', 'returned_unacknowledged'] as const).map(
			(state) =>
				[<AlarmMark key={state} severity={severity} state={state} />, `${severities[severity]}: ${states[state]}`] as const,
		),
	);
	// These marks are the same for every severity.
	const others = (['normal', 'shelved', 'disabled', 'unknown'] as const).map(
		(state) => [<AlarmMark key={state} severity="info" state={state} />, states[state]] as const,
	);
	return (
		<>
			<Drawings title={text.shapes} entries={[...shapes, unknown]} />
			<Drawings title={text.marks} entries={[...ofSeverity, ...others]} />
			<Drawings
				title={text.qualities}
				entries={qualities.map((quality) => [<QualityMark key={quality} quality={quality} word="" />, qualityWords()[quality]])}
			/>
		</>
	);
}
