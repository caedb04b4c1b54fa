import { useEffect, useRef } from 'preact/hooks';
import type { Failure } from '#page/core/api.ts';
import { decimalsOf } from '#page/core/decimals.ts';
import { variables } from '#page/core/definitions.ts';
import { listNotice } from '#page/core/list-notice.ts';
import { readingOf, useReadings } from '#page/core/readings.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { shownOf } from '#page/core/shown.ts';
import { commonText } from '#page/i18n/common.ts';
import { problemText } from '#page/i18n/i18n.ts';
import { Button } from '#page/parts/button.tsx';
import { DataTable } from '#page/parts/data-table.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { ShownQuality, ShownValue } from '#page/parts/shown-cells.tsx';
import { AddHead } from './add-head.tsx';
import { addText } from './add-texts.ts';
import type { Adding } from './adding.ts';
import type { CreateItem, CreateRun, CreateState } from './create-run.ts';
import { createText } from './create-texts.ts';
import { describeText } from './describe-texts.ts';

interface CreateProps {
	readonly adding: Adding;
	readonly run: CreateRun;
}

/** The step that creates the variables one by one. It shows the state of each. */
export function Create({ adding, run }: CreateProps) {
	const text = createText();
	const states = run.states.value;
	const isRunning = run.isRunning.value;
	const created = [...states.values()].flatMap((state) => (state.kind === 'created' ? [state.id] : []));
	const failedCount = [...states.values()].filter(({ kind }) => kind === 'refused' || kind === 'unknown').length;
	// Readings are asked for when all are created, not again after each.
	useReadings(isRunning ? [] : created);
	const count = run.items.length;
	const percentOf = (part: number): string => `${(100 * part) / count}%`;
	return (
		<>
			<CreateHead adding={adding} run={run} />
			<section class="panel add-result">
				<p role="status">
					<b>{text.createdCount(created.length, count)}</b>{' '}
					{failedCount > 0 && (
						<b class="fault">
							<Icon name="q-bad" /> {text.notCreatedCount(failedCount)}
						</b>
					)}
				</p>
				{adding.notReady.value > 0 && <p class="muted">{text.notReady(adding.notReady.value)}</p>}
				<div class="add-progress" aria-hidden="true">
					<i style={{ width: percentOf(created.length) }} />
					<i class="failed" style={{ width: percentOf(failedCount) }} />
				</div>
				<DataTable
					caption={describeText().table}
					rows={run.items}
					keyOf={({ key }) => key}
					columns={[
						{ key: 'name', head: commonText().name, isRowHead: true, cell: ({ name }) => name },
						{ key: 'topic', head: commonText().topic, cell: ({ topic }) => <span class="mono">{topic}</span> },
						{ key: 'field', head: addText().field, cell: ({ field }) => <span class="mono">{field}</span> },
						{ key: 'result', head: text.result, look: 'wide', cell: ({ key }) => <Outcome state={states.get(key)} /> },
						{ key: 'reads', head: text.reads, look: 'end', cell: (item) => <Reads state={states.get(item.key)} item={item} /> },
						{
							key: 'act',
							head: <span class="sr">{commonText().actions}</span>,
							look: 'buttons',
							cell: (item) => <ItemAct adding={adding} state={states.get(item.key)} item={item} />,
						},
					]}
				/>
				<p class="muted">{text.each}</p>
			</section>
		</>
	);
}

/** The buttons of the step. When the run has ended, its primary button gets the focus. */
function CreateHead({ adding, run }: CreateProps) {
	const text = createText();
	const box = useRef<HTMLSpanElement>(null);
	const isRunning = run.isRunning.value;
	const keysOf = (...kinds: readonly CreateState['kind'][]): readonly string[] =>
		[...run.states.value].flatMap(([key, { kind }]) => (kinds.includes(kind) ? [key] : []));
	const failed = keysOf('refused', 'unknown');
	const waiting = keysOf('waits');
	const unknown = keysOf('unknown');
	const isComplete = failed.length === 0 && waiting.length === 0;
	useEffect(() => {
		if (!isRunning) box.current?.querySelector<HTMLElement>('.primary')?.focus();
	}, [isRunning]);
	const finish = (): void => {
		listNotice.value = text.notice(keysOf('created').length);
		void variables.load();
		goTo(hrefOf('variables'));
	};
	return (
		<AddHead step="create">
			<span class="line" ref={box}>
				{isRunning && <Button onClick={run.stop}>{text.stop}</Button>}
				{/* An item whose outcome is unknown may be stored already. It must not be described again before its outcome is known. */}
				{!isRunning && unknown.length === 0 && (!isComplete || adding.notReady.value > 0) && (
					<Button onClick={adding.correct}>{describeText().back}</Button>
				)}
				{!isRunning && !isComplete && (
					<Button look="primary" onClick={() => void adding.retry(failed)}>
						{failed.length > 0 ? text.tryAllAgain(failed.length) : text.goOn(waiting.length)}
					</Button>
				)}
				<Button look={isComplete ? 'primary' : undefined} disabled={isRunning} onClick={finish}>
					{describeText().done}
				</Button>
			</span>
		</AddHead>
	);
}

/** The state of an item in words, with the reason where it was refused. */
function Outcome({ state }: { readonly state: CreateState | undefined }) {
	const text = createText();
	if (state === undefined || state.kind === 'waits') return <span class="muted">{text.waits}</span>;
	if (state.kind === 'creating') return <b>{text.creating}</b>;
	if (state.kind === 'created') return <>✓ {text.created(state.id)}</>;
	if (state.kind === 'unknown')
		return (
			<span class="quality">
				<Icon name="q-uncertain" /> {text.unknown}
			</span>
		);
	return (
		<b class="fault">
			<Icon name="q-bad" /> {text.notCreated(reasonOf(state.failure))}
		</b>
	);
}

/** Returns why the service refused an item, in words. */
function reasonOf({ errors, status }: Failure): string {
	const sentences = Object.values(errors).map((error) => problemText(error).text);
	if (sentences.length > 0) return sentences.join(' ');
	return status === 429 ? createText().tooMany : createText().refused;
}

/** The present value of the variable that was created, so that a wrong series shows at once. */
function Reads({ state, item }: { readonly state: CreateState | undefined; readonly item: CreateItem }) {
	const reading = state?.kind === 'created' ? readingOf(state.id).value : undefined;
	if (reading === undefined) return null;
	const shown = shownOf(reading);
	const kind = item.body.binary_compressed === true ? 'byte' : 'simple';
	return shown.value === null ? (
		<ShownQuality shown={shown} ownName={item.name} />
	) : (
		<ShownValue shown={shown} kind={kind} decimals={decimalsOf([shown.value])} />
	);
}

interface ItemActProps {
	readonly adding: Adding;
	readonly state: CreateState | undefined;
	readonly item: CreateItem;
}

/** The link to the variable that was created, or the button that tries again. */
function ItemAct({ adding, state, item: { key, name } }: ItemActProps) {
	const text = createText();
	if (state?.kind === 'created')
		return (
			<a class="btn small" href={hrefOf('variables', state.id)} aria-label={text.openNamed(name)}>
				{text.open}
			</a>
		);
	if (state?.kind !== 'refused' && state?.kind !== 'unknown') return null;
	return (
		<Button small aria-label={text.tryNamed(name)} onClick={() => void adding.retry([key])}>
			{commonText().again}
		</Button>
	);
}
