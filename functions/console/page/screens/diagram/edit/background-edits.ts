import type { Signal } from '@preact/signals';
import type { Lost } from '#domain/background/plain-svg.ts';
import { maxBackgroundBytes } from '#domain/board/symbol-kinds.ts';
import { formatNumber } from '#page/format/number.ts';
import { type BackgroundFault, type cleanBackground, maxFileBytes } from '../background.ts';
import { diagramText } from '../texts.ts';
import type { DrawingEdits } from './drawing-edits.ts';
import { editText } from './texts.ts';

/** What is said about a file that was chosen as background: why it cannot be one, or what it has lost. */
export interface FileNotice {
	readonly isFault: boolean;
	readonly text: string;
}

/** Sets the background of a drawing, as a step that can be undone, and says what was lost, or why the file cannot be the background. */
export function applyBackground(
	edits: DrawingEdits,
	chosen: Awaited<ReturnType<typeof cleanBackground>>,
	notice: Signal<FileNotice | null>,
): void {
	if (chosen.fault !== null) notice.value = { isFault: true, text: faultText(chosen) };
	else {
		setBackground(edits, chosen.svg);
		const isTaken = edits.editor.content.peek().background === chosen.svg;
		if (!isTaken) notice.value = { isFault: true, text: editText().exceeded.bytes };
		else notice.value = chosen.lost.size === 0 ? null : { isFault: false, text: lostText(chosen.lost) };
	}
}

/** Sets or removes (null) the background of a drawing, as a step that can be undone. */
export function setBackground(edits: DrawingEdits, background: string | null): void {
	edits.once('background', (draft) => ({ ...draft, background }));
}

function faultText(chosen: BackgroundFault): string {
	const text = diagramText();
	switch (chosen.fault) {
		case 'not_svg':
		case 'no_picture':
			return text.backgroundNotSvg;
		case 'not_xml':
			return editText().backgroundNotXml(chosen.line, chosen.column);
		case 'no_text':
			return editText().backgroundNoText;
		case 'endless':
			return text.backgroundEndless;
		case 'large_file':
			return text.backgroundTooLarge(`${maxFileBytes / 1_000_000} MB`);
		case 'too_large':
			return editText().backgroundStillTooLarge(countText(chosen.bytes), countText(maxBackgroundBytes));
	}
}

/** Lists what a drawing has lost: "12 labels in HTML, 1 font". */
function lostText(lost: Lost): string {
	const { lost: sentence, lostThings } = editText();
	const things = [...lost].map(([kind, count]) => `${countText(count)} ${lostThings[kind][count === 1 ? 0 : 1]}`);
	return sentence(things.join(', '));
}

function countText(count: number): string {
	return formatNumber(count, { decimals: 0 });
}
