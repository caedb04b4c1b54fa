import type { Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Button } from '#page/parts/button.tsx';
import { readBackgroundFile } from '../background.ts';
import { diagramText } from '../texts.ts';
import { applyBackground, type FileNotice, setBackground } from './background-edits.ts';
import type { DrawingEdits } from './drawing-edits.ts';

interface BackgroundButtonProps {
	readonly edits: DrawingEdits;
	/** What is said about the chosen file; null: nothing. */
	readonly notice: Signal<FileNotice | null>;
}

/**
 * A button that chooses an SVG file as background, or removes the background. Both are steps that can be undone, and are saved with the
 * drawing.
 */
export function BackgroundButton({ edits, notice }: BackgroundButtonProps) {
	const text = diagramText();
	const input = useRef<HTMLInputElement>(null);
	const choose = async (file: File): Promise<void> => applyBackground(edits, await readBackgroundFile(file), notice);
	const remove = (): void => {
		notice.value = null;
		setBackground(edits, null);
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
			{edits.editor.content.value.background !== null && <Button onClick={remove}>{text.removeBackground}</Button>}
		</span>
	);
}
