import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Result } from '#page/core/api.ts';
import { comparisonOf, type ItemVersion, type ItemVersions, type VersionComparison } from '#page/core/item-versions.ts';
import { hrefOf, hrefWithParams } from '#page/core/route.ts';
import { may, sessionCheck } from '#page/core/session.ts';
import { itemKinds } from '#page/editing/item-kinds.ts';
import { formatClock, formatUtc, formatWeekday } from '#page/format/time.ts';
import { actorWords } from '#page/i18n/actor-words.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Fact } from '#page/parts/fact.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { CausedChanges } from './caused-changes.tsx';
import {
	type EntryKey,
	entryAddressOf,
	itemHref,
	loadVersions,
	readWholeChange,
	reloadItems,
	type WholeChange,
} from './change-entries.ts';
import { changeText } from './change-texts.ts';
import { actorIcon, changedWords, fieldWord, itemWords, versionWords } from './change-words.ts';
import { RestoreDialog } from './restore-dialog.tsx';
import { VersionReadings } from './version-readings.tsx';
import { VersionTable } from './version-table.tsx';

/** An entry, with the functions that compare and save versions of its kind. `versions` is null when the kind has none. */
interface OpenedChange {
	readonly change: WholeChange;
	readonly versions: ItemVersions | null;
}

interface ChangeDetailProps {
	/** The entry. Another entry needs another `key`. */
	readonly entry: EntryKey;
	/** Called when a version was restored and is stored. */
	readonly onRestored: () => void;
	/** Whether the entry is shown beside the editor of its item. */
	readonly isBeside?: boolean;
}

/** One entry of the journal: who, when, through what, and the item before and after field by field. */
export function ChangeDetail({ entry, onRestored, isBeside = false }: ChangeDetailProps) {
	const text = changeText();
	const opened = useSignal<Result<OpenedChange> | null>(null);
	const read = async (): Promise<void> => {
		const isSameSession = sessionCheck();
		const [result, versions] = await Promise.all([readWholeChange(entry), loadVersions(entry.kind)]);
		if (isSameSession()) opened.value = result.ok ? { ...result, data: { change: result.data, versions } } : result;
	};
	useEffect(() => void read(), []);
	const result = opened.value;
	return (
		<section class="panel stack change" aria-label={text.heads.what}>
			{result === null && <p role="status">{commonText().reading}</p>}
			{result?.ok === false && (
				<>
					<Problems failure={result.failure} fallback={text.noEntry} />
					<Button onClick={() => void read()}>{commonText().again}</Button>
				</>
			)}
			{result?.ok === true && <Opened {...result.data} isBeside={isBeside} onRestored={onRestored} />}
		</section>
	);
}

/** Shows an entry that was read. */
function Opened({ change, versions, isBeside, onRestored }: OpenedChange & Omit<Required<ChangeDetailProps>, 'entry'>) {
	const text = changeText();
	// `after` is null for a deletion, and missing where an earlier release made the next change, which did not keep what it replaced.
	const { before, after = null, kind, itemId } = change;
	const comparison = versions?.compare(before, after) ?? plainComparison(before, after);
	const headOf = (version: ItemVersion | null): string | null => (version === null ? null : text.version(version.version));
	const tried = [before, after].flatMap((version) =>
		version === null ? [] : [{ head: text.version(version.version), version }],
	);
	const unknown = before?.unknownFields?.map(fieldWord).join(', ');
	return (
		<>
			<ChangeHead change={change} />
			{kind === 'variable' && versions !== null && change.action !== 'deleted' && may('engineer') && (
				<VersionReadings id={Number(itemId)} tried={tried} versions={versions} />
			)}
			{change.after === undefined && kind !== 'session' && <p class="muted">{text.notKnown}</p>}
			{unknown !== undefined && <p class="muted">{text.unknownFields(unknown)}</p>}
			{change.after !== undefined && comparison.differences.length === 0 && <p class="muted">{text.noWords}</p>}
			{kind !== 'session' && <VersionTable comparison={comparison} heads={{ before: headOf(before), after: headOf(after) }} />}
			{/* A save without a field that is not known would remove what is stored of it. */}
			{versions !== null && before !== null && unknown === undefined && (
				<Restore change={change} earlier={before} versions={versions} onRestored={onRestored} />
			)}
			{change.action === 'deleted' && <CausedChanges deletion={change} />}
			{change.cause !== undefined && (
				<p>
					<a href={hrefOf('changes', entryAddressOf(change.cause))}>{changedWords({ fields: [], cause: change.cause })}</a>
				</p>
			)}
			<div class="line wrap">
				{change.action !== 'deleted' && !isBeside && <OpenLink {...change} />}
				<a class="btn" href={hrefWithParams('changes', { kind, item: String(itemId) })}>
					{isBeside ? text.showInChanges : text.ofThisItem}
				</a>
			</div>
		</>
	);
}

/** The item and what happened to it; who did it, when, through what, and which fields changed. */
function ChangeHead({ change }: { readonly change: WholeChange }) {
	const text = changeText();
	const { kind, name, action, actor, at, via } = change;
	const time = Date.parse(at);
	const what = changedWords(change);
	return (
		<>
			<div class="line">
				<Icon name={itemKinds[kind].icon} />
				<div>
					<h2>{name}</h2>
					<span class="muted">
						{itemWords(change)} · {text.actions[action]}
						{kind !== 'session' && ` · ${commonText().version(change.version)}`}
						{change.replaced !== null && change.action !== 'deleted' && ` (${versionWords(change)})`}
					</span>
				</div>
			</div>
			<dl class="facts">
				<Fact term={text.heads.who}>
					<Icon name={actorIcon(change)} /> {actorWords(actor)}
				</Fact>
				<Fact term={text.heads.when}>
					<time dateTime={at} title={formatUtc(time)}>
						{formatWeekday(time)} {formatClock(time, { seconds: true })}
					</time>
				</Fact>
				<Fact term={text.heads.through}>{text.via[via]}</Fact>
				<Fact term={text.heads.what}>{what === '' ? null : what}</Fact>
			</dl>
		</>
	);
}

interface RestoreProps extends Pick<ChangeDetailProps, 'onRestored'> {
	readonly change: WholeChange;
	readonly earlier: ItemVersion;
	readonly versions: ItemVersions;
}

/** The button that opens the dialog for restoring the version before the change. Nothing is drawn for a role that may not restore. */
function Restore({ change, earlier, versions, onRestored }: RestoreProps) {
	const text = changeText();
	const isAsking = useSignal(false);
	const isDeleted = change.action === 'deleted';
	// Operators may save charts. Only engineers may restore what was deleted.
	if (!may(change.kind === 'chart' && !isDeleted ? 'operator' : 'engineer')) return null;
	const close = (): void => {
		isAsking.value = false;
	};
	const deletedWord = change.kind === 'alarm' ? text.restoreAsNew : text.restoreDeleted;
	return (
		<>
			<Button
				look="primary"
				wide
				onClick={() => {
					isAsking.value = true;
				}}
			>
				{isDeleted ? deletedWord : text.restoreVersion(earlier.version)}
			</Button>
			{isAsking.value && (
				<RestoreDialog
					change={change}
					earlier={earlier}
					versions={versions}
					onClose={close}
					onRestored={() => {
						close();
						void reloadItems(change.kind);
						onRestored();
					}}
				/>
			)}
		</>
	);
}

/** The link to the item; nothing for an item without a screen of its own. */
function OpenLink({ kind, itemId }: WholeChange) {
	const href = itemHref(kind, itemId);
	if (href === null) return null;
	return (
		<a class="btn" href={href}>
			{changeText().open}
		</a>
	);
}

/** Compares two versions field by field, with the names and values of the stored fields. For kinds that no editor has words for. */
function plainComparison(before: ItemVersion | null, after: ItemVersion | null): VersionComparison {
	const [entriesBefore, entriesAfter] = [Object.entries(before?.content ?? {}), Object.entries(after?.content ?? {})];
	const keys = new Set([...entriesBefore, ...entriesAfter].map(([key]) => key));
	const textOf = (entries: readonly (readonly [string, unknown])[], key: string): string => {
		const value = entries.find(([name]) => name === key)?.[1];
		if (value === undefined) return '';
		return typeof value === 'string' ? value : JSON.stringify(value);
	};
	return comparisonOf(
		[...keys].map((key) => ({
			...{ key, label: fieldWord(key), isCode: false },
			before: textOf(entriesBefore, key),
			after: textOf(entriesAfter, key),
		})),
	);
}
