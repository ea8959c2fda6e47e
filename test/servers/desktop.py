"""A desktop that shows notifications, for tests: owns org.freedesktop.Notifications on its bus. Prints the bus's address and then each
notification as a line of JSON; ends when its standard input closes."""

import json
import os
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.Notifications"


def say(value):
    print(json.dumps(value), flush=True)


class Desktop(dbus.service.Object):
    shown = 0

    @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, app, replaces, icon, summary, body, actions, hints, expires):
        say({"app": str(app), "summary": str(summary), "body": str(body), "icon": str(icon), "actions": [str(a) for a in actions]})
        self.shown += 1
        return self.shown

    @dbus.service.method(NAME, out_signature="as")
    def GetCapabilities(self):
        return ["body", "body-markup"]

    @dbus.service.method(NAME, out_signature="ssss")
    def GetServerInformation(self):
        return ("desktop of a test", "Sallyport", "1", "1.2")


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
name = dbus.service.BusName(NAME, bus, do_not_queue=True)
desktop = Desktop(bus, "/org/freedesktop/Notifications")
loop = GLib.MainLoop()
GLib.io_add_watch(0, GLib.IO_HUP | GLib.IO_IN, lambda *_: loop.quit())
say({"address": os.environ["DBUS_SESSION_BUS_ADDRESS"], "pid": os.getpid()})
loop.run()
sys.exit(0)
