import { batch, useSignal } from '@preact/signals';
import { api, type Failure, resultOf } from '#page/core/api.ts';
import { goTo, hrefOf, leaveGuard, mayLeave, route } from '#page/core/route.ts';
import { isSessionKept, openIdSessionOf, session, sessionCheck, startSession } from '#page/core/session.ts';
import { commonText } from '#page/i18n/common.ts';
import { Dialog } from '#page/parts/dialog.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { signInText } from '#page/screens/sign-in/texts.ts';
import { type Plant, PlantList, plantText } from './plant-list.tsx';

/** The name of the plant, which leads to the others that the person may use. */
export function PlantSwitch() {
	const text = plantText();
	const isOpen = useSignal(false);
	const isBusy = useSignal(false);
	const failure = useSignal<Failure | null>(null);
	const { schema, database, tenants = [] } = session.value ?? {};
	const isShown = ({ schemaName, tsdb_name }: Plant): boolean => schemaName === schema && tsdb_name === database;
	const close = (): void => {
		isOpen.value = false;
	};
	const choose = async (plant: Plant): Promise<void> => {
		if (isShown(plant)) return close();
		if (!mayLeave()) return;
		isBusy.value = true;
		failure.value = await changePlant(plant);
		isBusy.value = false;
	};
	return (
		<>
			<button
				type="button"
				class="plant"
				aria-label={`${schema} · ${text.change}`}
				onClick={() => {
					failure.value = null;
					isOpen.value = true;
				}}
			>
				{schema}
				<Icon name="i-down" />
			</button>
			{isOpen.value && (
				<Dialog title={text.change} onClose={close} closeLabel={commonText().close} small>
					<PlantList plants={tenants} isShown={isShown} isBusy={isBusy.value} onChoose={(plant) => void choose(plant)} />
					{failure.value !== null && <Problems failure={failure.value} fallback={signInText().unreachable} />}
				</Dialog>
			)}
		</>
	);
}

/** Continues the session with another plant, on the same screen, in this tab. Returns why that was refused, or null. */
async function changePlant({ schemaName, tsdb_name }: Plant): Promise<Failure | null> {
	const isSameSession = sessionCheck();
	const result = await resultOf(api.POST('/renewOpenId', { body: { schemaName, tsdb_name } }));
	if (!isSameSession()) return null;
	if (!result.ok) return result.failure;
	batch(() => {
		// The person has agreed to lose the edits.
		leaveGuard.editor = null;
		goTo(hrefOf(route.value.screen));
		startSession(openIdSessionOf(result.data), isSessionKept());
	});
	return null;
}
