import { useSignal } from '@preact/signals';
import { dayMs } from '#domain/milliseconds.ts';
import { maxMachineNameLength } from '#domain/validation/input-limits.ts';
import type { Schemas } from '#page/core/api.ts';
import { currentTime } from '#page/core/clock.ts';
import { useRequest } from '#page/core/use-request.ts';
import { commonText } from '#page/i18n/common.ts';
import { problemText } from '#page/i18n/i18n.ts';
import { Button } from '#page/parts/button.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { Field } from '#page/parts/field.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { SegmentedField } from '#page/parts/segmented.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { WriteButton } from '#page/parts/write-button.tsx';
import { type Machine, type SavedMachine, saveMachine } from './access-requests.ts';
import { RoleFields } from './role-fields.tsx';
import { accessText } from './texts.ts';

/** The roles of machines: none is an administrator. */
const machineRoles = ['viewer', 'operator', 'engineer'] as const;

/** When a machine ends: `kept` leaves its end as it is, and the others are days from now. A machine ends in 366 days at the latest. */
type EndChoice = 'kept' | '30' | '90' | '365';

interface MachineDialogProps {
	/** Null: a new one. */
	readonly machine: Machine | null;
	readonly onSaved: (machine: SavedMachine) => void;
	/** Called when it is not known whether it was saved, or another version is stored. */
	readonly onLost: () => void;
	readonly onClose: () => void;
}

/** Asks for name, role and end of a machine, and saves it. */
export function MachineDialog({ machine, onSaved, onLost, onClose }: MachineDialogProps) {
	const text = accessText();
	const name = useSignal(machine?.name ?? '');
	const role = useSignal<Machine['role']>(machine?.role ?? 'viewer');
	const end = useSignal<EndChoice>(machine === null ? '365' : 'kept');
	const hasTried = useSignal(false);
	const { send: save, failure, isRunning: isSaving } = useRequest(saveMachine, onSaved, onLost);
	const isMissing = name.value.trim() === '';
	/** Why the service refuses the name; undefined while it does not. */
	const nameRefusal = failure?.errors['name'];
	const refusalText = nameRefusal === undefined ? null : problemText(nameRefusal).text;
	const bodyOf = (): Schemas['MachineInput'] => ({
		...(machine === null ? {} : { clientId: machine.clientId }),
		name: name.value.trim(),
		role: role.value,
		...(end.value === 'kept' ? {} : { expiresAt: currentTime() + Number(end.value) * dayMs }),
	});
	return (
		<Dialog title={machine?.name ?? text.newMachine} onClose={onClose} closeLabel={commonText().close} small>
			<form
				class="form"
				noValidate
				onSubmit={(event) => {
					event.preventDefault();
					hasTried.value = true;
					if (!isMissing) void save(bodyOf(), machine?.version ?? null);
				}}
			>
				<Field
					label={text.machineName}
					hint={text.machineHint}
					error={hasTried.value && isMissing ? text.nameMissing : refusalText}
				>
					{(ties) => (
						<TextInput
							{...ties}
							value={name.value}
							maxLength={maxMachineNameLength}
							onText={(typed) => {
								name.value = typed;
							}}
						/>
					)}
				</Field>
				<RoleFields
					name={name.value}
					choices={machineRoles}
					value={role.value}
					onChoose={(next) => {
						role.value = machineRoles.find((known) => known === next) ?? role.value;
					}}
				/>
				<SegmentedField
					label={text.endsAfter}
					value={end.value}
					choices={[
						...(machine === null ? [] : [{ value: 'kept' as const, label: text.endKept }]),
						...(['30', '90', '365'] as const).map((value) => ({ value, label: text.endDays[value] })),
					]}
					onChoose={(value) => {
						end.value = value;
					}}
				/>
				{failure !== null && nameRefusal === undefined && <Problems failure={failure} fallback={text.maybeSaved} />}
				<div class="dialog-foot">
					<Button onClick={onClose}>{commonText().cancel}</Button>
					<WriteButton type="submit" look="primary" aria-disabled={isSaving}>
						{machine === null ? text.create : commonText().save}
					</WriteButton>
				</div>
			</form>
		</Dialog>
	);
}
