"""Addresses of play, one include a feature."""

from django.urls import URLPattern, URLResolver, path

from games.views import create, history, home, invitation, lobby, my_games, play, profile, replay, rules, tables

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("play-bots/", home.play_bots_now, name="play-bots-now"),
    path("rules/", rules.rules, name="rules"),
    path("lobby/", lobby.lobby, name="lobby"),
    path("history/", history.history, name="history"),
    path("players/<str:username>/", profile.player, name="player"),
    path("join/<str:token>/", invitation.invitation, name="invitation"),
    path("games/", my_games.my_games, name="my-games"),
    path("games/waiting/", my_games.waiting, name="waiting"),
    path("games/new/", create.new_game, name="new-game"),
    path("games/<str:slug>/join/", tables.join, name="game-join"),
    path("games/<str:slug>/leave/", tables.leave, name="game-leave"),
    path("games/<str:slug>/cancel/", tables.cancel, name="game-cancel"),
    path("games/<str:slug>/decline/", tables.decline, name="game-decline"),
    path("games/<str:slug>/rematch/", tables.rematch, name="game-rematch"),
    path("games/<str:slug>/", play.game, name="game"),
    path("games/<str:slug>/board/", play.board, name="game-board"),
    path("games/<str:slug>/placements/", play.placements, name="game-placements"),
    path("games/<str:slug>/place/", play.place, name="game-place"),
    path("games/<str:slug>/pass/", play.pass_, name="game-pass"),
    path("games/<str:slug>/resign/", play.resign, name="game-resign"),
    path("games/<str:slug>/claim/", play.claim, name="game-claim"),
    path("games/<str:slug>/replay/", replay.replay, name="replay"),
]
