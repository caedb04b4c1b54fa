import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { createActs } from '#page/core/acts.ts';
import { api, type Failure, type Result, resultOf, type Schemas } from '#page/core/api.ts';
import type { ItemVersion, ItemVersions, StoredNow } from '#page/core/item-versions.ts';
import { mayPassLater } from '#page/core/may-pass-later.ts';
import { may, sessionCheck } from '#page/core/session.ts';
import { useRequest } from '#page/core/use-request.ts';
import { isVersioned } from '#page/editing/item-kinds.ts';
import { commonText } from '#page/i18n/common.ts';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { WriteButton } from '#page/parts/write-button.tsx';
import type { WholeChange } from './change-entries.ts';
import { changeText } from './change-texts.ts';
import { VersionReadings } from './version-readings.tsx';
import { VersionTable } from './version-table.tsx';

interface RestoreDialogProps {
	readonly change: WholeChange;
	/** The version to restore: the item as it was before the change. */
	readonly earlier: ItemVersion;
	readonly versions: ItemVersions;
	readonly onRestored: () => void;
	readonly onClose: () => void;
}

/** Asks whether a version is to be restored, and restores it. If the item is still stored, its fields are first compared with the version. */
export function RestoreDialog(props: RestoreDialogProps) {
	return props.change.action === 'deleted' ? <DeletedItem {...props} /> : <EarlierVersion {...props} />;
}

/** Brings a deleted item back under its id. An alarm comes back as a new alarm. */
function DeletedItem({ change, earlier, versions, onRestored, onClose }: RestoreDialogProps) {
	const text = changeText();
	const acts = useMemo(() => createActs(), []);
	const { kind, name } = change;
	const restore = async (): Promise<Result<unknown>> => {
		const body = restoreBodyOf(change);
		if (body === null) return versions.save(earlier, { storedVersion: null, acts });
		// The request takes no If-Match: its row version already names the deletion.
		return acts.send({ content: body }, (header) =>
			resultOf(api.POST('/restore', { params: { header: { 'Idempotency-Key': header['Idempotency-Key'] } }, body })),
		);
	};
	const { send, failure, isRunning } = useRequest(restore, onRestored);
	return (
		<Dialog title={text.askRestoreDeleted(name)} onClose={onClose} closeLabel={commonText().close} small>
			<p class="dialog-text">{kind === 'alarm' ? text.comesBackNew : text.comesBack}</p>
			{failure !== null && <Problems failure={failure} fallback={text.notRestored} />}
			<div class="dialog-foot">
				<Button onClick={onClose}>{commonText().cancel}</Button>
				<WriteButton look="primary" disabled={isRefused(failure)} aria-disabled={isRunning} onClick={() => void send()}>
					{text.restore}
				</WriteButton>
			</div>
		</Dialog>
	);
}

/** Returns the request that brings a deleted item back under its id; null for an alarm and a panel, which can only be saved anew. */
function restoreBodyOf({ kind, itemId, rowVersion }: WholeChange): Schemas['RestoreInput'] | null {
	if (typeof itemId === 'string' || !isVersioned(kind)) return null;
	return kind === 'alarm' || kind === 'panel' ? null : { kind, itemId, rowVersion };
}

/** Compares the stored item with an earlier version, and stores the earlier version as the newest one. */
function EarlierVersion({ change, earlier, versions, onRestored, onClose }: RestoreDialogProps) {
	const text = changeText();
	const acts = useMemo(() => createActs(), []);
	const stored = useSignal<Result<StoredNow | null> | null>(null);
	const read = async (): Promise<void> => {
		const isSameSession = sessionCheck();
		const result = await versions.readNow(earlier);
		if (isSameSession()) stored.value = result;
	};
	useEffect(() => void read(), []);
	const now = stored.value?.ok === true ? stored.value.data : null;
	const { send, failure, isRunning } = useRequest(
		() => versions.save(earlier, { storedVersion: now?.version ?? null, acts }),
		onRestored,
		// Somebody else has saved the item meanwhile.
		async ({ status }) => (status === 412 ? read() : undefined),
	);
	const comparison = now?.compare() ?? null;
	const isSame = comparison?.differences.length === 0;
	const isConflict = failure?.status === 412;
	return (
		<Dialog title={text.askRestore(earlier.version, change.name)} onClose={onClose} closeLabel={commonText().close}>
			{stored.value === null && <p role="status">{commonText().reading}</p>}
			{stored.value?.ok === false && <Problems failure={stored.value.failure} fallback={text.notRead} />}
			{stored.value?.ok === true && now === null && <Banner look="error">{text.gone}</Banner>}
			{now !== null && comparison !== null && (
				<>
					<p class="dialog-text">
						{isSame ? text.storedNow : text.storedAgain(now.version + 1)}{' '}
						{!isSame && now.version > change.version && <b>{text.undoes(change.version + 1, now.version)}</b>}
					</p>
					<VersionTable
						comparison={comparison}
						heads={{ before: text.nowVersion(now.version), after: text.thenVersion(earlier.version) }}
					/>
					{!isSame && <TriedValue change={change} earlier={earlier} versions={versions} />}
				</>
			)}
			{isConflict && (
				<Banner look="error" icon="q-bad">
					{text.changedMeanwhile}
				</Banner>
			)}
			{failure !== null && !isConflict && <Problems failure={failure} fallback={text.notRestored} />}
			<div class="dialog-foot">
				<Button onClick={onClose}>{commonText().cancel}</Button>
				<WriteButton
					look="primary"
					disabled={now === null || isSame || (isRefused(failure) && !isConflict)}
					aria-disabled={isRunning}
					onClick={() => void send()}
				>
					{now === null ? text.restore : text.restoreAs(now.version + 1)}
				</WriteButton>
			</div>
		</Dialog>
	);
}

/** Shows the value that a variable would have now with the earlier version. Nothing is drawn for other kinds, or for a role that may not try. */
function TriedValue({ change, earlier, versions }: Pick<RestoreDialogProps, 'change' | 'earlier' | 'versions'>) {
	if (change.kind !== 'variable' || !may('engineer')) return null;
	const head = changeText().withVersion(earlier.version);
	return <VersionReadings id={Number(change.itemId)} tried={[{ head, version: earlier }]} versions={versions} />;
}

/** Whether the same request would be refused again. */
function isRefused(failure: Failure | null): boolean {
	return failure !== null && !mayPassLater(failure);
}
