import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { session } from '#page/core/session.ts';
import { Button } from '#page/parts/button.tsx';
import { backgroundAddress, backgroundFault, keepBackground, maxBackgroundBytes, readBackground } from './background.ts';
import { diagramText } from './texts.ts';

/** The background of a diagram in this browser. */
export interface BackgroundState {
	/** The SVG; null without one. */
	readonly svg: Signal<string | null>;
	/** What is wrong with the chosen file; null without a fault. */
	readonly fault: Signal<string | null>;
	/** Keeps the background for another diagram: the one that a new diagram became when it was saved. */
	readonly moveTo: (saved: number) => void;
}

/** Reads the background of a diagram when it is opened. */
export function useBackground(diagram: number): BackgroundState {
	const schema = session.value?.schema ?? '';
	const svg = useSignal<string | null>(null);
	const fault = useSignal<string | null>(null);
	useEffect(() => {
		svg.value = readBackground(schema, diagram);
		fault.value = null;
	}, [schema, diagram]);
	const moveTo = (saved: number): void => {
		if (saved === diagram || svg.value === null) return;
		keepBackground(schema, saved, svg.value);
		keepBackground(schema, diagram, null);
	};
	return { svg, fault, moveTo };
}

interface BackgroundButtonProps {
	readonly diagram: number;
	readonly state: BackgroundState;
}

/** Chooses an SVG file as background. It never leaves the browser. */
export function BackgroundButton({ diagram, state: { svg, fault } }: BackgroundButtonProps) {
	const text = diagramText();
	const input = useRef<HTMLInputElement>(null);
	const keep = (next: string | null): void => {
		svg.value = next;
		fault.value = keepBackground(session.value?.schema ?? '', diagram, next) ? null : text.backgroundNotKept;
	};
	const choose = async (file: File): Promise<void> => {
		if (file.size > maxBackgroundBytes) {
			fault.value = text.backgroundTooLarge('1 MB');
			return;
		}
		const content = await file.text();
		if (backgroundFault(content) === null && (await isPicture(content))) keep(content);
		else fault.value = text.backgroundNotSvg;
	};
	return (
		<>
			<input
				ref={input}
				type="file"
				accept=".svg,image/svg+xml"
				hidden
				aria-label={text.background}
				onChange={(event) => {
					const [file] = event.currentTarget.files ?? [];
					event.currentTarget.value = '';
					if (file !== undefined) void choose(file);
				}}
			/>
			<Button onClick={() => input.current?.click()}>{text.background}</Button>
			{svg.value !== null && <Button onClick={() => keep(null)}>{text.removeBackground}</Button>}
		</>
	);
}

/** Whether the browser can draw it. */
async function isPicture(svg: string): Promise<boolean> {
	const picture = new Image();
	picture.src = backgroundAddress(svg);
	try {
		await picture.decode();
		return true;
	} catch {
		return false;
	}
}
