import type { Signal } from '@preact/signals';
import { ChangesButton } from '#page/changes/changes-panel.tsx';
import { type Chart, charts } from '#page/core/definitions.ts';
import { deleteStored } from '#page/core/deletions.ts';
import { downloadCsv } from '#page/core/download.ts';
import { viewZone } from '#page/core/time-zone.ts';
import { DeleteDialog } from '#page/editing/deletion.tsx';
import { csvFileName } from '#page/format/csv.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { ForRole } from '#page/parts/for-role.tsx';
import { Select } from '#page/parts/select.tsx';
import { WriteButton } from '#page/parts/write-button.tsx';
import { shellText } from '#page/shell/texts.ts';
import { trendText } from './texts.ts';
import { trendCsv } from './trend-csv.ts';
import { comparisonName } from './trend-format.ts';
import { linesIn, type TrendModel } from './trend-model.ts';

interface TrendHeadProps {
	/** The opened board; null without one. */
	readonly board: Chart | null;
	/** Whether the changes of the board are shown. */
	readonly showsChanges: Signal<boolean>;
	readonly onBoard: (chart: Chart | null) => void;
	/** Null if there is nothing to save. */
	readonly onSave: (() => void) | null;
	readonly onDelete: () => void;
	/** The content of the CSV file; null until it was read. */
	readonly model: TrendModel | null;
}

/** The choice of the board, and the buttons that save, delete and export. */
export function TrendHead({ board, showsChanges, onBoard, onSave, onDelete, model }: TrendHeadProps) {
	const text = trendText();
	return (
		<header class="head">
			<h1>{shellText().screens.trend}</h1>
			<Select
				aria-label={text.board}
				value={board === null ? '' : String(board.id)}
				choices={[
					{ value: '', label: text.ownChoice },
					...(charts.rows.value ?? []).map(({ id, title }) => ({ value: String(id), label: title })),
				]}
				onChoose={(value) => onBoard(charts.rows.value?.find(({ id }) => String(id) === value) ?? null)}
			/>
			<div class="actions">
				{board !== null && <ChangesButton isOpen={showsChanges} />}
				<ForRole needs="operator">
					<WriteButton disabled={onSave === null} onClick={() => onSave?.()}>
						{text.saveAsChart}
					</WriteButton>
					{board !== null && <Button onClick={onDelete}>{commonText().delete}</Button>}
				</ForRole>
				<Button disabled={model === null} onClick={() => model !== null && saveCsv(model)}>
					{commonText().csv}
				</Button>
			</div>
		</header>
	);
}

function saveCsv(model: TrendModel): void {
	const { min, max } = trendText();
	const { time } = commonText();
	const compared = model.comparison === null ? '' : comparisonName(model.comparison, model.bounds[0] ?? 0);
	const csv = trendCsv(model, { utc: `${time} (UTC)`, local: `${time} (local, ${viewZone().name})`, min, max, compared });
	const names = linesIn(model).map(({ name }) => name);
	downloadCsv(csvFileName(names, model.bounds[0] ?? 0, model.bounds.at(-1) ?? 0), csv);
}

interface DeleteChartProps {
	readonly board: Chart;
	readonly onDeleted: () => Promise<void>;
	readonly onClose: () => void;
}

/** Asks whether to delete the opened board. */
export function DeleteChart({ board, onDeleted, onClose }: DeleteChartProps) {
	return (
		<DeleteDialog
			name={board.title}
			remove={() => deleteStored('/deleteChart/{id}', board)}
			onDeleted={() => void onDeleted()}
			onChanged={() => void charts.load()}
			onClose={onClose}
		>
			<p class="dialog-text">{trendText().deleteText}</p>
		</DeleteDialog>
	);
}
