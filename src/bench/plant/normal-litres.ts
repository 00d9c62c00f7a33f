const NORMAL_KELVIN = 273.15;
const PLANT_KELVIN = 293.15;

/**
 * The air of the plant has 20 °C and 1013.25 hPa; a normal litre has 0 °C at that pressure.
 *
 * @param litres of the plant, l or l/min
 * @returns ln or ln/min: the same mass
 */
export const normalLitres = (litres: number): number => (litres * NORMAL_KELVIN) / PLANT_KELVIN;
