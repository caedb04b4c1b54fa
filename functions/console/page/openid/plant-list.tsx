import type { OpenIdAnswer } from '#page/core/openid-api.ts';
import { commonText } from '#page/i18n/common.ts';
import { messages } from '#page/i18n/i18n.ts';
import { Button } from '#page/parts/button.tsx';

/** The texts of choosing a plant. */
export const plantText = messages({
	en: {
		choose: 'Choose the plant',
		change: 'Change the plant',
	},
	es: {
		choose: 'Elija la planta',
		change: 'Cambiar de planta',
	},
});

/** A tenant that a person may use. */
export type Plant = OpenIdAnswer['tenants'][number];

interface ListedPlantsProps {
	readonly plants: readonly Plant[];
	/** Whether a plant is the one that is shown now. */
	readonly isShown?: (plant: Plant) => boolean;
	readonly isBusy: boolean;
	readonly onChoose: (plant: Plant) => void;
}

/** A button for each plant that a person may use, with the role there. */
export function PlantList({ plants, isShown = () => false, isBusy, onChoose }: ListedPlantsProps) {
	return (
		<div class="stack plants">
			{plants.map((plant) => (
				<Button
					key={`${plant.schemaName} ${plant.tsdb_name}`}
					wide
					aria-disabled={isBusy}
					aria-current={isShown(plant) ? 'true' : undefined}
					onClick={() => !isBusy && onChoose(plant)}
				>
					<b>{plant.schemaName}</b>
					{plant.tsdb_name !== plant.schemaName && <span>{plant.tsdb_name}</span>}
					<span class="muted">{commonText().roles[plant.role]}</span>
				</Button>
			))}
		</div>
	);
}
