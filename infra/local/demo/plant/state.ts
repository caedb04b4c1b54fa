import * as v from 'valibot';

const amount = v.pipe(v.number(), v.finite(), v.minValue(0));

/** Two pumps of which `running` run, `lead` before the other. They take turns at leading. */
const pumpPairSchema = v.object({ running: v.picklist([0, 1, 2]), lead: v.picklist([1, 2]) });

/**
 * The plant at one moment. Levels are of that moment; flows are the means over the step that led to it, so that a level's
 * change is exactly what flowed in less what flowed out.
 */
export const plantStateSchema = v.object({
	rawLevelM: amount,
	treatedLevelM: amount,
	networkLevelM: amount,
	intakePumps: pumpPairSchema,
	distributionPumps: pumpPairSchema,
	/** Whether the treated tank asks for water: the filters' inlet valve is open then, unless a backwash closes it. */
	treatedWanted: v.boolean(),
	/** How much of the backwash is left; 0 when none is in progress. */
	washLeftMs: amount,
	/** Whether the filters were washed during the step. */
	washing: v.boolean(),
	/** From 0 (clean) to 1 (due for a backwash). */
	clogging: v.pipe(amount, v.maxValue(1)),
	/** Whether the water that enters the treated tank is dosed with chlorine. */
	dosing: v.boolean(),
	treatedChlorineMgL: amount,
	intakeM3h: amount,
	filteredM3h: amount,
	washM3h: amount,
	distributionM3h: amount,
	demandM3h: amount,
});

/** The plant at one moment. */
export type PlantState = v.InferOutput<typeof plantStateSchema>;

export type PumpPair = PlantState['intakePumps'];

/** A plant that has just been filled, with everything at rest. */
export const initialState: PlantState = {
	rawLevelM: 2.9,
	treatedLevelM: 3.1,
	networkLevelM: 4.1,
	intakePumps: { running: 0, lead: 1 },
	distributionPumps: { running: 0, lead: 1 },
	treatedWanted: true,
	washLeftMs: 0,
	washing: false,
	clogging: 0.35,
	dosing: false,
	treatedChlorineMgL: 0.92,
	intakeM3h: 0,
	filteredM3h: 0,
	washM3h: 0,
	distributionM3h: 0,
	demandM3h: 0,
};
