import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { type Role, roles } from '#domain/access/role.ts';
import { maxEmailLength } from '#domain/validation/input-limits.ts';
import { hrefWithParams } from '#page/core/route.ts';
import { session } from '#page/core/session.ts';
import { useRequest } from '#page/core/use-request.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { DataTable } from '#page/parts/data-table.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { Fact } from '#page/parts/fact.tsx';
import { Field } from '#page/parts/field.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { WriteButton } from '#page/parts/write-button.tsx';
import { isByProvider, type Listing, type Person, roleOf, savePerson } from './access-requests.ts';
import { TimeOrNever, Unread } from './listing-notes.tsx';
import { RoleFields } from './role-fields.tsx';
import { accessText } from './texts.ts';

interface PeopleProps {
	readonly people: Listing<Person>;
	/** Draws the head of the screen with what can be done there. */
	readonly head: (action: ComponentChildren) => ComponentChildren;
}

/** The people with their roles, and the form of the chosen one. */
export function People({ people, head }: PeopleProps) {
	const text = accessText();
	/** The e-mail of the chosen person. */
	const chosen = useSignal<string | null>(null);
	const announcement = useSignal('');
	const result = people.result.value;
	const rows = result?.ok === true ? result.data : [];
	const person = rows.find(({ email }) => email === chosen.value);
	const showSaved = (saved: Person): void => {
		announcement.value = text.saved(nameOf(saved), commonText().roles[roleOf(saved)]);
		chosen.value = saved.email;
		void people.load();
	};
	return (
		<>
			{head(<AddPerson onSaved={showSaved} />)}
			<p class="panel">
				{/* Where everybody comes from providers, no other rule lets people in. */}
				{(rows.length === 0 || rows.some(({ provider }) => !provider)) && text.provider}{' '}
				{rows.some(({ provider }) => provider) && text.byGrants}
			</p>
			<Unread listing={people} />
			<p role="status" class={announcement.value === '' ? 'sr' : 'muted'}>
				{announcement.value}
			</p>
			{/* Before the people are read, an empty table would say that there are none. */}
			{result?.ok === true && (
				<div class="split">
					<DataTable
						class="card-table"
						caption={text.tabs.people}
						rows={rows}
						keyOf={({ email }) => email}
						selected={chosen.value}
						onSelect={({ email }) => {
							chosen.value = email;
						}}
						columns={[
							{
								key: 'person',
								head: text.person,
								look: 'wide',
								isRowHead: true,
								cell: (row) => (
									<>
										{nameOf(row)} {isSelf(row.email) && <span class="muted">({text.you})</span>}
									</>
								),
							},
							{ key: 'role', head: text.role, cell: (row) => <RoleAndSource person={row} /> },
							{ key: 'last', head: text.lastSignIn, cell: ({ lastSignInAt }) => <TimeOrNever time={lastSignInAt} /> },
						]}
					/>
					{person === undefined ? (
						<p class="panel muted">{text.choosePerson}</p>
					) : (
						<PersonForm
							key={`${person.email} ${roleOf(person)}`}
							person={person}
							hasOneAdministrator={rows.filter((row) => roleOf(row) === 'administrator').length === 1}
							onSaved={showSaved}
						/>
					)}
				</div>
			)}
		</>
	);
}

/** The role of a person; of one of a provider also whether a grant or somebody here gave it. */
function RoleAndSource({ person }: { readonly person: Person }) {
	const text = accessText();
	const { provider } = person;
	return (
		<>
			<b>{commonText().roles[roleOf(person)]}</b>{' '}
			{provider && <span class="muted">{isByProvider(person) ? text.byProvider(provider) : text.givenHere}</span>}
		</>
	);
}

interface PersonFormProps {
	readonly person: Person;
	/** Whether the tenant has one administrator only. */
	readonly hasOneAdministrator: boolean;
	readonly onSaved: (person: Person) => void;
}

/** The role of one person, which can be changed. Nobody can change their own role; a sentence says so. */
function PersonForm({ person, hasOneAdministrator, onSaved }: PersonFormProps) {
	const text = accessText();
	const role = useSignal<Role>(roleOf(person));
	const { send: save, failure, isRunning: isSaving } = useRequest(savePerson, onSaved);
	const { granted, provider } = person;
	const isOwn = isSelf(person.email);
	const ownText = hasOneAdministrator ? text.lastAdministrator : text.ownRole;
	return (
		<section class="panel form" aria-label={nameOf(person)}>
			<div class="line">
				<Icon name="i-user" />
				<h2>{nameOf(person)}</h2>
			</div>
			<RoleFields
				name={nameOf(person)}
				choices={roles}
				value={role.value}
				disabled={isOwn}
				onChoose={(next) => {
					role.value = next;
				}}
			/>
			<p class="muted">{isOwn ? ownText : text.takesEffect}</p>
			{granted && provider && <p class="muted">{text.atLeast(provider, commonText().roles[granted])}</p>}
			{failure !== null && <Problems failure={failure} fallback={commonText().notSaved} />}
			<WriteButton
				look="primary"
				disabled={isOwn || role.value === roleOf(person)}
				aria-disabled={isSaving}
				onClick={() => void save({ email: person.email, role: role.value })}
			>
				{text.saveRole}
			</WriteButton>
			<dl class="facts">
				{provider && <Fact term={text.signsInWith}>{provider}</Fact>}
				<Fact term={text.lastSignIn}>
					<TimeOrNever time={person.lastSignInAt} />
				</Fact>
			</dl>
			<div class="line wrap">
				{/* 31 days are one of the ranges that the screen of changes offers. */}
				<a class="btn" href={hrefWithParams('changes', { actor: person.email, days: '31' })}>
					{text.changesOf.person}
				</a>
				<a class="btn" href={hrefWithParams('changes', { kind: 'person', item: person.email })}>
					{text.roleChanges}
				</a>
			</div>
		</section>
	);
}

/** A person while it is typed. */
interface TypedPerson {
	readonly email: string;
	readonly role: Role;
}

/** The button that gives a role to somebody who has not signed in yet, with its dialog. */
function AddPerson({ onSaved }: Pick<PersonFormProps, 'onSaved'>) {
	const text = accessText();
	const isOpen = useSignal(false);
	const close = (): void => {
		isOpen.value = false;
	};
	return (
		<>
			<Button
				look="primary"
				onClick={() => {
					isOpen.value = true;
				}}
			>
				{text.addPerson}
			</Button>
			{isOpen.value && (
				<AddPersonDialog
					onSaved={(person) => {
						close();
						onSaved(person);
					}}
					onClose={close}
				/>
			)}
		</>
	);
}

interface AddPersonDialogProps extends Pick<PersonFormProps, 'onSaved'> {
	readonly onClose: () => void;
}

/** Asks for the e-mail and the role of a person. It is empty each time it opens, so that nobody gets the role of another person. */
function AddPersonDialog({ onSaved, onClose }: AddPersonDialogProps) {
	const text = accessText();
	const typed = useSignal<TypedPerson>({ email: '', role: 'viewer' });
	const hasTried = useSignal(false);
	const { send: save, failure, isRunning: isSaving } = useRequest(savePerson, onSaved);
	const { email, role } = typed.value;
	const isMissing = email.trim() === '';
	return (
		<Dialog title={text.addPerson} onClose={onClose} closeLabel={commonText().close} small>
			<form
				class="form"
				noValidate
				onSubmit={(event) => {
					event.preventDefault();
					hasTried.value = true;
					if (!isMissing) void save({ email: email.trim(), role });
				}}
			>
				<Field label={text.email} error={hasTried.value && isMissing ? text.emailMissing : null}>
					{(ties) => (
						<TextInput
							{...ties}
							value={email}
							maxLength={maxEmailLength}
							onText={(next) => {
								typed.value = { ...typed.value, email: next };
							}}
						/>
					)}
				</Field>
				<RoleFields
					name={text.person}
					choices={roles}
					value={role}
					onChoose={(next) => {
						typed.value = { ...typed.value, role: next };
					}}
				/>
				{failure !== null && <Problems failure={failure} fallback={commonText().notSaved} />}
				<div class="dialog-foot">
					<Button onClick={onClose}>{commonText().cancel}</Button>
					<WriteButton type="submit" look="primary" aria-disabled={isSaving}>
						{text.saveRole}
					</WriteButton>
				</div>
			</form>
		</Dialog>
	);
}

/** Returns the name under which a person is shown. The e-mail of a person of a provider is an id that nobody knows. */
function nameOf({ name, email }: Person): string {
	return name ?? email;
}

/** Whether an e-mail is that of the signed-in person. */
function isSelf(email: string): boolean {
	return email.toLowerCase() === session.value?.email.toLowerCase();
}
