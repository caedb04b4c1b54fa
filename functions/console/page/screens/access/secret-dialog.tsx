import { useSignal } from '@preact/signals';
import { session } from '#page/core/session.ts';
import { useShortcuts } from '#page/core/shortcuts.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Checkbox } from '#page/parts/checkbox.tsx';
import { CopyButton } from '#page/parts/copy-button.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { Fact } from '#page/parts/fact.tsx';
import type { SavedMachine } from './access-requests.ts';
import { TimeOrNever } from './listing-notes.tsx';
import { accessText } from './texts.ts';

interface SecretDialogProps {
	/** The machine with its new secret. */
	readonly machine: SavedMachine;
	readonly onClose: () => void;
}

/** Shows a new secret, this one time. The dialog can be closed only after the person has ticked that the secret is stored. */
export function SecretDialog({ machine, onClose }: SecretDialogProps) {
	const text = accessText();
	const isStored = useSignal(false);
	// Browsers close a dialog at the second Esc, even if the page prevents the event `cancel`. As a shortcut, the key never reaches the dialog.
	// Its label is never seen, because the list of keys does not open while a dialog is open.
	useShortcuts([{ key: 'Escape', label: text.stored, run: stayOpen }]);
	const { secret = '' } = machine;
	return (
		<Dialog title={text.secretTitle(machine.name)} onClose={stayOpen} small>
			<p class="dialog-text">{text.shownOnce}</p>
			<dl class="facts">
				<Fact term={text.clientId}>
					<code>{machine.clientId}</code>
				</Fact>
				<Fact term={text.secret}>
					<b>
						<code>{secret}</code>
					</b>
				</Fact>
				<Fact term={text.role}>{commonText().roles[machine.role]}</Fact>
				<Fact term={commonText().schema}>{session.value?.schema}</Fact>
				<Fact term={text.ends}>
					<TimeOrNever time={machine.expiresAt} />
				</Fact>
			</dl>
			<p>
				<CopyButton value={secret} />
				{machine.role === 'viewer' && <CopyButton value={wallAddressOf(machine.clientId, secret)}>{text.copyWall}</CopyButton>}
			</p>
			<div class="dialog-foot">
				<Checkbox
					label={text.stored}
					checked={isStored.value}
					onToggle={(checked) => {
						isStored.value = checked;
					}}
				/>
				<Button look="primary" disabled={!isStored.value} onClick={onClose}>
					{commonText().close}
				</Button>
			</div>
		</Dialog>
	);
}

/** Returns the address with which a wall signs in by itself (functions/console/page/shell/README.md#signing-in-by-itself). */
function wallAddressOf(clientId: string, secret: string): string {
	const [page = ''] = location.href.split('#');
	return `${page}#/overview?${new URLSearchParams({ wall: '1', client_id: clientId, client_secret: secret })}`;
}

/** Does nothing where a key or the browser would close the dialog. */
function stayOpen(): void {
	// Only the button closes it.
}
