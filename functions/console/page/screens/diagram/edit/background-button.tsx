import type { Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { maxBackgroundBytes } from '#domain/board/symbol-kinds.ts';
import { Button } from '#page/parts/button.tsx';
import { type BackgroundFault, readBackgroundFile } from '../background.ts';
import { diagramText } from '../texts.ts';
import type { DrawingEdits } from './use-drawing-edits.ts';

interface BackgroundButtonProps {
	readonly edits: DrawingEdits;
	/** The words for the fault of the chosen file; null without a fault. */
	readonly fault: Signal<string | null>;
}

/**
 * A button that chooses an SVG file as background, or removes the background. Both are steps that can be undone, and are saved with the
 * drawing.
 */
export function BackgroundButton({ edits, fault }: BackgroundButtonProps) {
	const text = diagramText();
	const input = useRef<HTMLInputElement>(null);
	const sentences: Readonly<Record<BackgroundFault, string>> = {
		not_svg: text.backgroundNotSvg,
		endless: text.backgroundEndless,
		too_large: text.backgroundTooLarge(`${maxBackgroundBytes / 1000} KB`),
	};
	const setBackground = (background: string | null): void => {
		fault.value = null;
		edits.apply('background', (draft) => ({ ...draft, background }));
		edits.endUndoStep();
	};
	const choose = async (file: File): Promise<void> => {
		const read = await readBackgroundFile(file);
		if (read.fault === null) setBackground(read.svg);
		else fault.value = sentences[read.fault];
	};
	return (
		<span class="only-wide line">
			<input
				ref={input}
				type="file"
				accept=".svg,image/svg+xml"
				hidden
				aria-label={text.background}
				onChange={(event) => {
					const [file] = event.currentTarget.files ?? [];
					// An empty field reports the same file again when it is chosen again.
					event.currentTarget.value = '';
					if (file !== undefined) void choose(file);
				}}
			/>
			<Button onClick={() => input.current?.click()}>{text.background}</Button>
			{edits.editor.content.value.background !== null && (
				<Button onClick={() => setBackground(null)}>{text.removeBackground}</Button>
			)}
		</span>
	);
}
