import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { maxMachineSecrets } from '#domain/access/machine.ts';
import { dayMs } from '#domain/milliseconds.ts';
import { now } from '#page/core/clock.ts';
import { canWrite } from '#page/core/poll.ts';
import { hrefWithParams } from '#page/core/route.ts';
import { useRequest } from '#page/core/use-request.ts';
import { DeleteDialog } from '#page/editing/deletion.tsx';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { DataTable } from '#page/parts/data-table.tsx';
import { EmptyState } from '#page/parts/empty-state.tsx';
import { Fact } from '#page/parts/fact.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { WriteButton } from '#page/parts/write-button.tsx';
import { deleteMachine, type Listing, type Machine, type SavedMachine, saveMachine } from './access-requests.ts';
import { TimeOrNever, Unread } from './listing-notes.tsx';
import { MachineDialog } from './machine-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { accessText } from './texts.ts';

/** How long before a machine ends the list says so. */
const soonMs = 30 * dayMs;

interface MachinesProps {
	readonly machines: Listing<Machine>;
	/** Draws the head of the screen with what can be done there. */
	readonly head: (action: ComponentChildren) => ComponentChildren;
}

/** The programs that may use the tenant, and what can be done with the chosen one. A new secret is shown once. */
export function Machines({ machines, head }: MachinesProps) {
	const text = accessText();
	/** The client id of the chosen machine. */
	const chosen = useSignal<string | null>(null);
	/** Whether the form of a new machine is open. */
	const isNew = useSignal(false);
	/** The machine whose new secret is shown. */
	const withSecret = useSignal<SavedMachine | null>(null);
	const rows = machines.result.value?.ok === true ? machines.result.value.data : [];
	const machine = rows.find(({ clientId }) => clientId === chosen.value);
	const showSaved = (stored: SavedMachine): void => {
		isNew.value = false;
		chosen.value = stored.clientId;
		if (stored.secret !== undefined) withSecret.value = stored;
		void machines.load();
	};
	return (
		<>
			{head(
				<WriteButton
					look="primary"
					onClick={() => {
						isNew.value = true;
					}}
				>
					{text.newMachine}
				</WriteButton>,
			)}
			<Unread listing={machines} />
			{machines.result.value?.ok === true && rows.length === 0 && (
				<EmptyState icon="i-machine" title={text.noMachines}>
					<p>{text.machinesText}</p>
				</EmptyState>
			)}
			{rows.length > 0 && (
				<div class="split">
					<MachineTable
						machines={rows}
						chosen={chosen.value}
						onChoose={(clientId) => {
							chosen.value = clientId;
						}}
					/>
					{machine === undefined ? (
						<p class="panel muted">{text.chooseMachine}</p>
					) : (
						<MachineDetail key={machine.clientId} machine={machine} onSaved={showSaved} onLoad={() => void machines.load()} />
					)}
				</div>
			)}
			{isNew.value && (
				<MachineDialog
					machine={null}
					onSaved={showSaved}
					onLost={() => void machines.load()}
					onClose={() => {
						isNew.value = false;
					}}
				/>
			)}
			{withSecret.value !== null && (
				<SecretDialog
					machine={withSecret.value}
					onClose={() => {
						withSecret.value = null;
					}}
				/>
			)}
		</>
	);
}

interface MachineTableProps {
	readonly machines: readonly Machine[];
	readonly chosen: string | null;
	readonly onChoose: (clientId: string) => void;
}

/** The list of machines. */
function MachineTable({ machines, chosen, onChoose }: MachineTableProps) {
	const text = accessText();
	return (
		<DataTable
			class="card-table"
			caption={text.tabs.machines}
			rows={machines}
			keyOf={({ clientId }) => clientId}
			selected={chosen}
			onSelect={({ clientId }) => onChoose(clientId)}
			columns={[
				{
					key: 'machine',
					head: text.machine,
					look: 'wide',
					isRowHead: true,
					cell: ({ name, clientId }) => (
						<span class="two-lines">
							{name}
							<small class="mono">{clientId}</small>
						</span>
					),
				},
				{ key: 'role', head: text.role, cell: ({ role }) => <b>{commonText().roles[role]}</b> },
				{ key: 'used', head: text.lastUsed, look: 'wide', cell: ({ lastUsedAt }) => <TimeOrNever time={lastUsedAt} /> },
				{ key: 'ends', head: text.ends, look: 'wide', cell: (machine) => <EndOf machine={machine} /> },
			]}
		/>
	);
}

/** When a machine ends. If that is near or past, words in bold say so. */
function EndOf({ machine: { expiresAt } }: { readonly machine: Machine }) {
	const text = accessText();
	const leftMs = Date.parse(expiresAt) - now.value;
	return (
		<>
			<TimeOrNever time={expiresAt} /> {leftMs <= 0 && <b>{text.ended}</b>}
			{leftMs > 0 && leftMs <= soonMs && <b>{text.endsIn(Math.ceil(leftMs / dayMs))}</b>}
		</>
	);
}

interface MachineDetailProps {
	readonly machine: Machine;
	readonly onSaved: (machine: SavedMachine) => void;
	/** Reads the list again. Called when what is stored may differ from what is shown. */
	readonly onLoad: () => void;
}

/** One machine: what it is, its secrets, and what can be done with it. */
function MachineDetail({ machine, onSaved, onLoad }: MachineDetailProps) {
	const text = accessText();
	const dialog = useSignal<'change' | 'delete' | null>(null);
	const { clientId, name, secrets } = machine;
	const open = (next: typeof dialog.value) => (): void => {
		dialog.value = next;
	};
	const isLost = !canWrite.value.ok;
	return (
		<section class="panel form" aria-label={name}>
			<div class="line">
				<Icon name="i-machine" />
				<div>
					<h2>{name}</h2>
					<span class="muted mono">{clientId}</span>
				</div>
			</div>
			<MachineFacts machine={machine} />
			{secrets.length === 0 && <p class="muted">{text.noSecret}</p>}
			<SecretButtons machine={machine} onSaved={onSaved} onLoad={onLoad} />
			<div class="line wrap">
				{/* 31 days are one of the ranges that the screen of changes offers. */}
				<a class="btn" href={hrefWithParams('changes', { actor: clientId, days: '31' })}>
					{text.changesOf.machine}
				</a>
				<Button disabled={isLost} onClick={open('change')}>
					{text.change}
				</Button>
				<Button disabled={isLost} onClick={open('delete')}>
					{commonText().askDelete}
				</Button>
			</div>
			{dialog.value === 'change' && (
				<MachineDialog
					machine={machine}
					onSaved={(stored) => {
						dialog.value = null;
						onSaved(stored);
					}}
					onLost={onLoad}
					onClose={open(null)}
				/>
			)}
			{dialog.value === 'delete' && (
				<DeleteDialog
					name={name}
					remove={() => deleteMachine(machine)}
					onDeleted={onLoad}
					onChanged={onLoad}
					onClose={open(null)}
				>
					<p class="dialog-text">{text.deleteText}</p>
				</DeleteDialog>
			)}
		</section>
	);
}

/** The facts about a machine: its role, its times, and when each of its secrets was created. */
function MachineFacts({ machine }: Pick<MachineDetailProps, 'machine'>) {
	const text = accessText();
	return (
		<dl class="facts">
			<Fact term={text.role}>{commonText().roles[machine.role]}</Fact>
			<Fact term={commonText().database}>{machine.database}</Fact>
			<Fact term={text.created}>
				<TimeOrNever time={machine.createdAt} /> · {machine.createdBy}
			</Fact>
			<Fact term={text.lastUsed}>
				<TimeOrNever time={machine.lastUsedAt} />
			</Fact>
			<Fact term={text.ends}>
				<EndOf machine={machine} />
			</Fact>
			{machine.secrets.map(({ id, createdAt }) => (
				<Fact key={id} term={text.secretOf}>
					<TimeOrNever time={createdAt} />
				</Fact>
			))}
		</dl>
	);
}

/** The buttons that give a machine a new secret, and that remove the older of two secrets. */
function SecretButtons({ machine, onSaved, onLoad }: MachineDetailProps) {
	const text = accessText();
	const { clientId, name, role, secrets, version } = machine;
	const { send: save, failure, isRunning: isSaving } = useRequest(saveMachine, onSaved, onLoad);
	const saveSecrets = (change: { readonly newSecret: true } | { readonly removeSecret: string }): void =>
		void save({ clientId, name, role, ...change }, version);
	// Secrets are listed oldest first.
	const [older] = secrets;
	const hasBoth = secrets.length >= maxMachineSecrets;
	return (
		<>
			{failure !== null && <Problems failure={failure} fallback={text.maybeSaved} />}
			<p class="muted">{hasBoth ? text.twoSecrets : text.bothWork}</p>
			<WriteButton disabled={hasBoth} aria-disabled={isSaving} onClick={() => saveSecrets({ newSecret: true })}>
				{text.newSecret}
			</WriteButton>
			{/* Where nothing can be saved, the button above says why. */}
			{hasBoth && older !== undefined && (
				<Button disabled={!canWrite.value.ok} aria-disabled={isSaving} onClick={() => saveSecrets({ removeSecret: older.id })}>
					{text.removeOlder}
				</Button>
			)}
		</>
	);
}
