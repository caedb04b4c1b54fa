import type { ComponentChildren, Ref, RefObject, TargetedKeyboardEvent } from 'preact';
import { useImperativeHandle, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { referenceTo } from '#domain/equation/format-formula.ts';
import { parseFormula } from '#domain/equation/formula-text.ts';
import { loadPart } from '#page/core/load.ts';
import { commonText } from '#page/i18n/common.ts';
import { classNames } from '#page/parts/class-names.ts';
import type { FormulaFault } from './formula-faults.ts';
import { formulaText } from './formula-texts.ts';
import { FunctionList } from './function-list.tsx';
import { type NameChoice, nameListId, nameOptionId, type ReferenceName } from './name-list.tsx';
import { type OpenFunction, openFunctionAt } from './open-function.ts';
import { openReferenceAt } from './open-reference.ts';

/** The functions by which other parts of the editor act on the field. */
export interface FormulaFieldHandle {
	focus(): void;
	/** Returns the place of the caret in the text, from 0. */
	caret(): number;
	/** Focuses the field, and selects the text from `start` up to, but not including, `end`. */
	select(start: number, end: number): void;
	/** Moves the caret to a place after the next rendering, when the field has its new text. */
	selectLater(caret: number): void;
}

/** Properties of FormulaField. */
export interface FormulaFieldProps<Name extends ReferenceName> {
	readonly handle: Ref<FormulaFieldHandle>;
	readonly text: string;
	readonly faults: readonly FormulaFault[];
	/** The id of the list of faults. */
	readonly faultsId: string;
	/** Returns the names that complete the typed beginning of a name. */
	readonly namesFor: (typed: string) => readonly Name[];
	/** Renders the names: a `NameList`. */
	readonly renderNames: (choice: NameChoice<Name>) => ComponentChildren;
	readonly onText: (text: string) => void;
	/** Called with the place of the reference that is being typed; null when there is none. An incomplete reference is not an error yet. */
	readonly onReference: (start: number | null) => void;
	/** Called when a name is chosen from the list. `text` is the formula with the name. */
	readonly onComplete: (chosen: Name, text: string) => void;
}

/** The field for a formula: a text area over its coloured copy, with a list of names while a reference is typed. */
export function FormulaField<Name extends ReferenceName>(props: FormulaFieldProps<Name>) {
	const { text, faults, faultsId, onText } = props;
	const area = useRef<HTMLTextAreaElement>(null);
	const putCaret = useHandle(props.handle, area);
	const list = useCompletions(props, putCaret);
	const isOpen = list.count > 0;
	return (
		<div class={classNames('formula', faults.length > 0 && 'invalid')}>
			<FormulaCopy text={text} faults={faults} anchorAt={isOpen ? list.typedAt : null}>
				{list.functions === null ? (
					props.renderNames({ names: list.names, active: list.active, onChoose: list.choose })
				) : (
					<FunctionList names={list.functions.names} active={list.active} onChoose={list.chooseFunction} />
				)}
			</FormulaCopy>
			<textarea
				ref={area}
				rows={2}
				spellcheck={false}
				autocapitalize="off"
				autocomplete="off"
				aria-label={commonText().formula}
				aria-invalid={faults.length > 0 || undefined}
				aria-describedby={faultsId}
				aria-autocomplete="list"
				aria-controls={isOpen ? nameListId : undefined}
				aria-activedescendant={isOpen ? nameOptionId(list.active) : undefined}
				value={text}
				onInput={({ currentTarget }) => {
					// A pasted text may have several lines. A formula is one line.
					onText(currentTarget.value.replace(/[\r\n]+/g, ' '));
					list.openAt(currentTarget.selectionStart);
				}}
				onKeyDown={list.onKeyDown}
				onPaste={(event) => {
					const pasted = event.clipboardData?.getData('text/plain') ?? '';
					const { selectionStart, selectionEnd } = event.currentTarget;
					// Rows of two columns are the points of a curve.
					if (!/\t.*\n.*\t/.test(pasted)) return;
					event.preventDefault();
					void loadPart(() => import('./pasted-points.ts')).then(({ withPoints }) => {
						const next = withPoints(text, selectionStart, selectionEnd, pasted);
						onText(next.text);
						putCaret(next.caret);
					});
				}}
				onSelect={({ currentTarget }) => list.follow(currentTarget.selectionStart)}
				onBlur={list.close}
			/>
			<p class="sr" role="status">
				{isOpen ? formulaText().namesFound(list.count) : ''}
			</p>
		</div>
	);
}

/**
 * Sets the handle of the text area for other parts. Returns a function that moves the caret after the next rendering, when the text area
 * has its new text.
 */
function useHandle(handle: Ref<FormulaFieldHandle>, area: RefObject<HTMLTextAreaElement | null>): (caret: number) => void {
	/** Where the caret goes after the next rendering; null when it stays. */
	const [nextCaret, setNextCaret] = useState<number | null>(null);
	const select = (start: number, end: number): void => {
		area.current?.focus();
		area.current?.setSelectionRange(start, end);
	};
	useImperativeHandle(
		handle,
		() => ({
			focus: () => area.current?.focus(),
			caret: () => area.current?.selectionStart ?? 0,
			select,
			selectLater: setNextCaret,
		}),
		[],
	);
	useLayoutEffect(() => {
		if (nextCaret === null) return;
		select(nextCaret, nextCaret);
		setNextCaret(null);
	}, [nextCaret]);
	return setNextCaret;
}

/** How far each arrow moves in the list. */
const listSteps: ReadonlyMap<string, number> = new Map([
	['ArrowDown', 1],
	['ArrowUp', -1],
]);

/** The list of names that complete the reference at the caret. Typing opens the list; arrows, Enter, Tab and Escape act on it. */
function useCompletions<Name extends ReferenceName>(
	{ text, namesFor, onText, onReference, onComplete }: FormulaFieldProps<Name>,
	putCaret: (caret: number) => void,
) {
	/** The place of the caret while the list may be open; null while it is closed. */
	const [caret, setCaret] = useState<number | null>(null);
	/** The index of the name that Enter chooses. */
	const [active, setActive] = useState(0);
	const open = caret === null ? null : openReferenceAt(text, caret);
	const names = open === null ? [] : namesFor(open.typed);
	const functions: OpenFunction | null = open === null && caret !== null ? openFunctionAt(text, caret) : null;
	const count = functions?.names.length ?? names.length;
	const typedAt = (open ?? functions)?.start ?? null;
	useLayoutEffect(() => onReference(typedAt), [typedAt]);

	const close = (): void => setCaret(null);
	const choose = (chosen: Name): void => {
		if (open === null) return;
		const reference = referenceTo(chosen.name);
		onComplete(chosen, text.slice(0, open.start) + reference + text.slice(open.end));
		putCaret(open.start + reference.length);
		close();
	};
	const chooseFunction = ({ name }: OpenFunction['names'][number]): void => {
		if (functions === null) return;
		onText(`${text.slice(0, functions.start)}${name}(${text.slice(functions.end)}`);
		putCaret(functions.start + name.length + 1);
		close();
	};
	const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
		// A formula is one line.
		if (event.key === 'Enter') event.preventDefault();
		if (count === 0 || event.isComposing) return;
		const step = listSteps.get(event.key);
		if (step !== undefined) {
			event.preventDefault();
			setActive((active + step + count) % count);
		} else if (event.key === 'Enter' || event.key === 'Tab') {
			event.preventDefault();
			const [chosen, chosenFunction] = [names[active], functions?.names[active]];
			if (chosenFunction !== undefined) chooseFunction(chosenFunction);
			else if (chosen !== undefined) choose(chosen);
		} else if (event.key === 'Escape') {
			event.preventDefault();
			event.stopPropagation();
			close();
		}
	};
	return {
		names,
		functions,
		/** How many names or functions the list has. */
		count,
		active,
		/** Where the reference or the function begins. */
		typedAt,
		choose,
		chooseFunction,
		onKeyDown,
		close,
		openAt: (place: number): void => {
			setCaret(place);
			setActive(0);
		},
		/** Updates an open list after the caret has moved. It opens no list: only typing does. */
		follow: (place: number): void => {
			if (caret !== null) setCaret(place);
		},
	};
}

/** Properties of FormulaCopy. */
export interface FormulaCopyProps {
	readonly text: string;
	readonly faults: readonly FormulaFault[];
	/** The place in the text below which `children` are shown; null when they are not shown. */
	readonly anchorAt: number | null;
	readonly children: ComponentChildren;
}

/** A coloured copy of a formula's text, exactly below the text area's own letters. Errors are underlined and numbered. */
export function FormulaCopy({ text, faults, anchorAt, children }: FormulaCopyProps) {
	const anchor = useRef<HTMLSpanElement>(null);
	const list = useRef<HTMLDivElement>(null);
	const [place, setPlace] = useState({ left: 0, top: 0 });
	useLayoutEffect(() => {
		const [letters, box] = [anchor.current, list.current];
		if (letters === null || box === null || anchorAt === null) return;
		// The list stays within the field, also where the letters are near its right edge.
		const mostLeft = (box.parentElement?.clientWidth ?? 0) - box.offsetWidth;
		setPlace({ left: Math.max(0, Math.min(letters.offsetLeft, mostLeft)), top: letters.offsetTop + letters.offsetHeight });
	}, [anchorAt, text]);

	const parts: ComponentChildren[] = [];
	/** Up to which place the text is in `parts`. */
	let copiedTo = 0;
	for (const { start, end, token } of parseFormula(text)) {
		parts.push(text.slice(copiedTo, start));
		const fault = faults.findIndex((listed) => listed.start === start);
		const isFaulty = fault !== -1;
		parts.push(
			<span
				key={start}
				ref={start === anchorAt ? anchor : null}
				class={classNames(token.type === 'variable' && !isFaulty && 'reference', isFaulty && 'wrong')}
			>
				{text.slice(start, end)}
			</span>,
		);
		if (isFaulty)
			parts.push(
				<span key={`number ${start}`} class="number">
					<sup>{fault + 1}</sup>
				</span>,
			);
		copiedTo = end;
	}
	return (
		<>
			{/* The character after the text keeps a last line that ends with a blank. */}
			<div class="formula-copy" aria-hidden="true">
				{parts}
				{text.slice(copiedTo)}
				{'\u200b'}
			</div>
			<div ref={list} class="formula-list" hidden={anchorAt === null} style={{ left: `${place.left}px`, top: `${place.top}px` }}>
				{children}
			</div>
		</>
	);
}
