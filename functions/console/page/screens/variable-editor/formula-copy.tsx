import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { classNames } from '#page/parts/class-names.ts';
import type { FormulaFault } from './formula-faults.ts';
import { parseFormula } from './formula-text.ts';

/** Properties of FormulaCopy. */
export interface FormulaCopyProps {
	readonly text: string;
	readonly faults: readonly FormulaFault[];
	/** The place in the text below which `children` stand; null where they are not shown. */
	readonly anchorAt: number | null;
	readonly children: ComponentChildren;
}

/** The text of a formula in colours, letter on letter with the text area over it. Errors have a line and their number. */
export function FormulaCopy({ text, faults, anchorAt, children }: FormulaCopyProps) {
	const anchor = useRef<HTMLSpanElement>(null);
	const list = useRef<HTMLDivElement>(null);
	const [place, setPlace] = useState({ left: 0, top: 0 });
	useLayoutEffect(() => {
		const [at, box] = [anchor.current, list.current];
		if (at === null || box === null || anchorAt === null) return;
		const room = (box.parentElement?.clientWidth ?? 0) - box.offsetWidth;
		setPlace({ left: Math.max(0, Math.min(at.offsetLeft, room)), top: at.offsetTop + at.offsetHeight });
	}, [anchorAt, text]);

	const parts: ComponentChildren[] = [];
	let end = 0;
	for (const { start, end: stop, token } of parseFormula(text)) {
		parts.push(text.slice(end, start));
		const number = faults.findIndex((fault) => fault.start === start);
		const look = classNames(token.type === 'variable' && number < 0 && 'reference', number >= 0 && 'wrong');
		parts.push(
			<span key={start} ref={start === anchorAt ? anchor : null} class={look}>
				{text.slice(start, stop)}
			</span>,
		);
		if (number >= 0)
			parts.push(
				<span key={`number ${start}`} class="number">
					<sup>{number + 1}</sup>
				</span>,
			);
		end = stop;
	}
	return (
		<>
			{/* What follows the text keeps the last line when it ends with a blank. */}
			<div class="formula-copy" aria-hidden="true">
				{parts}
				{text.slice(end)}
				{'\u200b'}
			</div>
			<div ref={list} class="formula-list" hidden={anchorAt === null} style={{ left: `${place.left}px`, top: `${place.top}px` }}>
				{children}
			</div>
		</>
	);
}
