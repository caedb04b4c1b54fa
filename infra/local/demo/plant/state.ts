import * as v from 'valibot';

/** What the meters of the distribution showed when the plant began. */
const firstPumpedM3 = 8600;
const firstEnergyKwh = 184_320;

const amountSchema = v.pipe(v.number(), v.finite(), v.minValue(0));

/** Two pumps, of which `running` run. Pump `lead` starts first. */
const pumpPairSchema = v.object({ running: v.picklist([0, 1, 2]), lead: v.picklist([1, 2]) });

/** Schema of `PlantState`, for states that are read from storage. */
export const plantStateSchema = v.object({
	rawLevelM: amountSchema,
	treatedLevelM: amountSchema,
	networkLevelM: amountSchema,
	intakePumps: pumpPairSchema,
	distributionPumps: pumpPairSchema,
	/** Whether the treated tank needs water. The inlet valve of the filters is then open, except during a backwash. */
	treatedWanted: v.boolean(),
	/** Remaining time of the backwash; 0 when none is in progress. */
	washLeftMs: amountSchema,
	/** Whether the filters were washed during the step. */
	washing: v.boolean(),
	/** From 0 (clean) to 1 (due for a backwash). */
	clogging: v.pipe(amountSchema, v.maxValue(1)),
	/** Whether the water that enters the treated tank is dosed with chlorine. */
	dosing: v.boolean(),
	treatedChlorineMgL: amountSchema,
	intakeM3h: amountSchema,
	filteredM3h: amountSchema,
	washM3h: amountSchema,
	distributionM3h: amountSchema,
	demandM3h: amountSchema,
	/** Water pumped and energy used by the distribution since its meters were installed. States of the first releases lack both. */
	pumpedM3: v.optional(amountSchema, firstPumpedM3),
	energyKwh: v.optional(amountSchema, firstEnergyKwh),
});

/**
 * The plant at one time. Levels are those of that time. Flows are the means over the step that ended then, so that a level
 * changes by exactly the inflow less the outflow.
 */
export type PlantState = v.InferOutput<typeof plantStateSchema>;

/** Two pumps of a station. */
export type PumpPair = PlantState['intakePumps'];

/** The state of a plant that has just been filled, with all pumps stopped. */
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
	pumpedM3: firstPumpedM3,
	energyKwh: firstEnergyKwh,
};
