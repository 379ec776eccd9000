import { Duration } from 'luxon';
import { defineNodePool } from '../../../../machines/nodepool/definition.ts';

/** NodePool that gives up soon, so that its timeouts can be seen. */
export const impatient = defineNodePool({ scaleUp: Duration.fromObject({ seconds: 2 }), scaleDown: Duration.fromObject({ seconds: 2 }) });
