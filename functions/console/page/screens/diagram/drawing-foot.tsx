import { useSignal } from '@preact/signals';
import { currentTime } from '#page/core/clock.ts';
import { loadPart } from '#page/core/load.ts';
import { showsOutdated, succeededAt } from '#page/core/poll.ts';
import { formatClock, formatDay, formatYear, zoneName } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { diagramText } from './texts.ts';

interface DrawingFootProps {
	readonly title: string;
	/** Returns the element of the drawing; null before it is in the page. */
	readonly drawingElement: () => HTMLElement | null;
}

/** The line below a drawing: the time of its values, and the buttons that save it as a file and print it. */
export function DrawingFoot({ title, drawingElement }: DrawingFootProps) {
	const text = diagramText();
	const hasFailed = useSignal(false);
	const readAt = succeededAt.value;
	const save = async (saver: 'saveSvg' | 'savePng'): Promise<void> => {
		const element = drawingElement();
		if (element === null) return;
		hasFailed.value = false;
		const time = readAt ?? currentTime();
		const fullTime = `${formatDay(time)} ${formatYear(time)} ${formatClock(time, { seconds: true })} ${zoneName(time)}`;
		const line = [title, text.valuesOf(fullTime), ...(showsOutdated.value ? [commonText().outdated] : [])].join(' · ');
		try {
			const savers = await loadPart(() => import('./export/drawing-file.ts'));
			await savers[saver](element, { title, time, line });
		} catch {
			// The code could not be loaded, or the browser could not draw the picture.
			hasFailed.value = true;
		}
	};
	return (
		<p class="drawing-foot">
			<span class="muted">
				{title}
				{readAt !== null && ` · ${text.valuesOf(formatClock(readAt, { seconds: true }))}`}
			</span>
			<Button onClick={() => void save('saveSvg')}>{text.saveSvg}</Button>
			<Button onClick={() => void save('savePng')}>{text.savePng}</Button>
			<Button onClick={() => globalThis.print()}>{commonText().print}</Button>
			{hasFailed.value && <span role="alert">{text.notExported}</span>}
		</p>
	);
}
