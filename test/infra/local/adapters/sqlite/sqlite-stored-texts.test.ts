import { memoryState, readLocalSettings } from '#infra/local/wiring/settings.ts';
import { openState } from '#infra/local/wiring/state.ts';
import { openStores } from '#infra/local/wiring/stores.ts';
import { storedTextsContract } from '#test/contract/stored-texts.ts';

storedTextsContract('SQLite', async () => {
	const state = await openState(memoryState);
	return {
		stores: await openStores(readLocalSettings(), state),
		storedTexts: async () =>
			state.database
				.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
				.all()
				.flatMap(({ name }) => state.database.prepare(`SELECT * FROM "${name}"`).all())
				.map((row) => JSON.stringify(row)),
	};
});
