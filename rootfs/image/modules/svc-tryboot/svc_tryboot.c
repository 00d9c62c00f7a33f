// SPDX-License-Identifier: GPL-2.0
/*
 * Hands the one-shot flag "tryboot" to the firmware of a Raspberry Pi. The reboot argument "0 tryboot" and /dev/vcio exist in the
 * kernel of Raspberry Pi OS only; mainline has the firmware driver, which this module uses:
 *
 *   echo 1 > /sys/module/svc_tryboot/parameters/tryboot      ask for it
 *   cat /sys/module/svc_tryboot/parameters/tryboot           what the firmware has
 */
#include <linux/module.h>
#include <linux/of.h>
#include <soc/bcm2835/raspberrypi-firmware.h>

#define GET_REBOOT_FLAGS 0x00030064
#define SET_REBOOT_FLAGS 0x00038064
#define TRYBOOT 1

static int with_firmware(u32 tag, u32 *flags)
{
	struct device_node *node = of_find_compatible_node(NULL, NULL, "raspberrypi,bcm2835-firmware");
	struct rpi_firmware *firmware;
	int result;

	if (!node)
		return -ENODEV;
	firmware = rpi_firmware_get(node);
	of_node_put(node);
	if (!firmware)
		return -EPROBE_DEFER;
	result = rpi_firmware_property(firmware, tag, flags, sizeof(*flags));
	rpi_firmware_put(firmware);
	return result;
}

static int set_tryboot(const char *text, const struct kernel_param *parameter)
{
	u32 flags;
	bool wanted;
	int result = kstrtobool(text, &wanted);

	if (result)
		return result;
	flags = wanted ? TRYBOOT : 0;
	return with_firmware(SET_REBOOT_FLAGS, &flags);
}

static int get_tryboot(char *text, const struct kernel_param *parameter)
{
	u32 flags = 0;
	int result = with_firmware(GET_REBOOT_FLAGS, &flags);

	return result ? result : sysfs_emit(text, "%u\n", flags & TRYBOOT);
}

static const struct kernel_param_ops tryboot_ops = { .set = set_tryboot, .get = get_tryboot };
module_param_cb(tryboot, &tryboot_ops, NULL, 0600);
MODULE_PARM_DESC(tryboot, "1: the next start is one by tryboot.txt");
MODULE_DESCRIPTION("One-shot start of a Raspberry Pi by tryboot.txt");
MODULE_LICENSE("GPL");
