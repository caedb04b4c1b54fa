import type { Signal } from '@preact/signals';
import { currentTime } from '#page/core/clock.ts';
import { charts } from '#page/core/definitions.ts';
import { lazyScreen } from '#page/shell/lazy-screen.tsx';
import type { ChartInput } from './chart-draft.ts';
import { RangeDialog } from './range-dialog.tsx';
import { trendText } from './texts.ts';
import { spanOf, type TimeRange } from './time-range.ts';
import { DeleteChart } from './trend-head.tsx';
import type { Curve, Strip } from './trend-model.ts';
import type { TrendAddress } from './trend-state.ts';

const SaveChart = lazyScreen(async () => (await import('./save-chart.tsx')).SaveChart);
const TotalsDialog = lazyScreen(async () => (await import('./totals-dialog.tsx')).TotalsDialog);

/** The dialogs of the screen, but for that of a total. */
export type DialogName = 'range' | 'save' | 'delete';

interface TrendDialogsProps {
	readonly address: TrendAddress;
	/** The dialog that is open; null without one. */
	readonly dialog: Signal<DialogName | null>;
	/** A sentence about the last act, for screen readers. */
	readonly announcement: Signal<string>;
	readonly onRange: (range: TimeRange) => void;
}

/** The dialogs that choose a range, and that save or delete a board. */
export function TrendDialogs({ address, dialog, announcement, onRange }: TrendDialogsProps) {
	const { view, board, ids, openBoard } = address;
	const close = (): void => {
		dialog.value = null;
	};
	const leaveFor = (chart: ChartInput, sentence: string): void => {
		close();
		announcement.value = sentence;
		openBoard(chart);
	};
	const leaveDeleted = async (): Promise<void> => {
		close();
		announcement.value = trendText().deleted(board?.title ?? '');
		// The curves stay as an unsaved choice of variables.
		openBoard(null);
		await charts.load();
	};
	return (
		<>
			{dialog.value === 'range' && <RangeDialog span={spanOf(view.range, currentTime())} onClose={close} onChoose={onRange} />}
			{dialog.value === 'delete' && board !== null && <DeleteChart board={board} onClose={close} onDeleted={leaveDeleted} />}
			{dialog.value === 'save' && (
				<SaveChart
					ids={ids}
					board={board}
					onClose={close}
					onSaved={(chart) => leaveFor(chart, trendText().saved(chart.title))}
					onTakeTheirs={(chart) => leaveFor(chart, '')}
				/>
			)}
		</>
	);
}

interface LineTotalsProps {
	/** The line whose total is shown; null without one. */
	readonly countedLine: Signal<Curve | Strip | null>;
	readonly bounds: readonly number[];
	readonly onCorrected: () => void;
}

/** The dialog with the total of a line over the shown range. */
export function LineTotals({ countedLine, bounds, onCorrected }: LineTotalsProps) {
	if (countedLine.value === null) return null;
	const close = (): void => {
		countedLine.value = null;
	};
	return (
		<TotalsDialog
			line={countedLine.value}
			start={bounds[0] ?? 0}
			end={bounds.at(-1) ?? 0}
			onCorrected={() => {
				close();
				onCorrected();
			}}
			onClose={close}
		/>
	);
}
